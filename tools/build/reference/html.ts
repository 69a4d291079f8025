import { html as template, raw } from 'hono/html';
import { marked } from 'marked';

/** A text that is HTML already: of the Markdown library, or of the highlighter. */
export { raw };

/** A piece of a page, whose texts are escaped. */
export type Html = ReturnType<typeof raw>;

/** What may stand in a template. A text is escaped; undefined and false show nothing. */
type Value = Html | string | number | undefined | false | readonly (Html | undefined)[];

/**
 * A piece of a page from a template.
 * @throws Error if a value of the template is a promise, which the types rule out
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const made = template(strings, ...values);
  if (made instanceof Promise) throw new Error('A template was given a promise.');
  return made;
}

/** A text in Markdown with several paragraphs. */
export function markdown(text: string): Html {
  return raw(marked.parse(text, { async: false }));
}

/** A text in Markdown within a line. */
export function inlineMarkdown(text: string): Html {
  return raw(marked.parseInline(text, { async: false }));
}

/** An id from a text: lower-case letters, digits and hyphens. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** A heading that links to itself, so that readers can share it. */
export function heading(level: number, id: string, content: Html | string): Html {
  const tag = raw(`h${level}`);
  return html`<${tag} id="${id}"><a href="#${id}">${content}</a></${tag}>`;
}

/** Something with a name and a meaning: a field, a parameter, a header, a status. */
export interface Definition {
  /** What links to it and the search name; undefined for a part of another definition. */
  readonly id?: string;
  readonly name: string;
  /** What stands beside the name, such as its type. */
  readonly note?: string | undefined;
  /** In Markdown. */
  readonly description: string;
  readonly example?: unknown;
  readonly below?: Html;
}

export function definitions(all: readonly Definition[]): Html {
  if (all.length === 0) return html``;
  return html`<dl>
    ${all.map(({ id, name, note, description, example, below }) => {
      const code = html`<code>${name}</code>`;
      return html`<div ${id && html`id="${id}"`}>
        <dt>${id ? html`<a href="#${id}">${code}</a>` : code} <span class="note">${note}</span></dt>
        <dd>
          ${inlineMarkdown(description)} ${below}
          ${
            example !== undefined &&
            html`<p class="note">Example: <code>${exampleText(example)}</code></p>`
          }
        </dd>
      </div>`;
    })}
  </dl>`;
}

/** An example as a reader types it: a text without quotes. */
export function exampleText(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}
