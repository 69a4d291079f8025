import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import { exampleText } from '../values.ts';

/** Something with a name and a meaning: a field, a parameter, a header, a member of a body. */
export interface Definition {
  readonly id: string;
  readonly name: string;
  /** What stands beside the name, such as its type. */
  readonly notes: readonly Html[];
  /** In Markdown. */
  readonly description: string;
  /** The values of which it has one; empty if there is no such set. */
  readonly values?: readonly string[];
  /** Shown after the description; undefined if there is none. */
  readonly example?: unknown;
  /** What it consists of, to unfold. */
  readonly below?: Html | undefined;
}

/** More values than these unfold. */
const MOST_VALUES = 20;

/** A list of definitions, each of which can be linked to. */
export function definitions(all: readonly Definition[]): Html {
  return html`<dl class="definitions">
    ${all.map(
      ({ id, name, notes, description, values = [], example, below }) =>
        html`<div id="${id}">
          <dt>
            <a href="#${id}"><code>${name}</code></a>
            ${notes}
          </dt>
          <dd>
            ${inlineMarkdown(description)} ${valueChips(values)}
            ${
              example !== undefined &&
              html`<span class="example">Example: <code>${exampleText(example)}</code></span>`
            }
            ${below}
          </dd>
        </div>`,
    )}
  </dl>`;
}

/** Something that unfolds. */
export function unfolding(summary: string, content: Html): Html {
  return html`<details class="unfold">
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** A note of the type of a value. */
export function typeNote(type: string): Html {
  return html`<span class="type">${type}</span> `;
}

/** A note of whether a value must be there. */
export function presenceNote(presence: 'required' | 'optional' | 'read-only'): Html {
  return html`<span class="presence ${presence}">${presence}</span>`;
}

function valueChips(values: readonly string[]): Html {
  if (values.length === 0) return html``;
  const chips = html`<ul class="values">
    ${values.map((value) => html`<li><code>${value}</code></li>`)}
  </ul>`;
  return values.length > MOST_VALUES ? unfolding(`${values.length} values`, chips) : chips;
}
