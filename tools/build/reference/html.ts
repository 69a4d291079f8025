import { html as template, raw as unescaped } from 'hono/html';
import { Marked } from 'marked';

/** A piece of a page, whose texts are escaped. */
export type Html = ReturnType<typeof unescaped>;

/** What may stand in a template. A text is escaped; undefined and false show nothing. */
type Value = Html | string | number | undefined | false | readonly Html[];

/**
 * A piece of a page from a template.
 * @throws Error if a value of the template is a promise, which the types rule out
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const made = template(strings, ...values);
  if (made instanceof Promise) throw new Error('A template was given a promise.');
  return made;
}

/** A text that is HTML already: of the Markdown library, or of the highlighter. */
export function raw(text: string): Html {
  return unescaped(text);
}

const plain = new Marked();

/** A text in Markdown with several paragraphs. */
export function markdown(text: string): Html {
  return raw(plain.parse(text, { async: false }));
}

/** A text in Markdown within a line. */
export function inlineMarkdown(text: string): Html {
  return raw(plain.parseInline(text, { async: false }));
}

/** An id from a text: lower-case letters, digits and hyphens. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
