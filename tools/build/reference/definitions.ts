import type { Html } from './html.ts';
import { html, inlineMarkdown, raw } from './html.ts';

/** Something with a name and a meaning: a field, a parameter, a header, a status. */
export interface Definition {
  readonly id: string;
  readonly name: string;
  /** What stands beside the name, such as its type. */
  readonly note?: string;
  /** In Markdown. */
  readonly description: string;
  /** What follows the description. */
  readonly below?: Html | false | undefined;
}

/** A list of definitions, each of which can be linked to and searched for. */
export function definitions(all: readonly Definition[]): Html {
  if (all.length === 0) return html``;
  return html`<dl>
    ${all.map(
      ({ id, name, note, description, below }) =>
        html`<div id="${id}">
          <dt>
            <a href="#${id}"><code>${name}</code></a> <span class="note">${note}</span>
          </dt>
          <dd>${inlineMarkdown(description)} ${below}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A heading that links to itself, so that readers can share it. */
export function heading(level: number, id: string, content: Html | string): Html {
  const tag = raw(`h${level}`);
  return html`<${tag} id="${id}"><a href="#${id}">${content}</a></${tag}>`;
}
