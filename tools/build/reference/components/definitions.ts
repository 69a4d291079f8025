import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';

/** Something with a name and a meaning: a field, a parameter, a header. */
export interface Definition {
  readonly id: string;
  readonly name: string;
  /** What stands beside the name, such as its type. */
  readonly notes: readonly Html[];
  /** In Markdown. */
  readonly description: string;
  /** Shown after the description; undefined if there is none. */
  readonly example: unknown;
}

/** A list of definitions, each of which can be linked to. */
export function definitions(all: readonly Definition[]): Html {
  return html`<dl class="definitions">
    ${all.map(
      ({ id, name, notes, description, example }) =>
        html`<div id="${id}">
          <dt>
            <a href="#${id}"><code>${name}</code></a>
            ${notes}
          </dt>
          <dd>
            ${inlineMarkdown(description)}
            ${
              example !== undefined &&
              html`<span class="example">Example: <code>${textOf(example)}</code></span>`
            }
          </dd>
        </div>`,
    )}
  </dl>`;
}

/** A note of the type of a value. */
export function typeNote(type: string): Html {
  return html`<span class="type">${type}</span> `;
}

/** A note of whether a value must be there. */
export function presenceNote(presence: 'required' | 'optional' | 'read-only'): Html {
  return html`<span class="presence ${presence}">${presence}</span>`;
}

function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}
