import { Marked } from 'marked';
import type { Html } from './html.ts';
import { raw } from './html.ts';

const plain = new Marked();

/** A text with several paragraphs. */
export function markdown(text: string): Html {
  return raw(plain.parse(text, { async: false }));
}

/** A text within a line. */
export function inlineMarkdown(text: string): Html {
  return raw(plain.parseInline(text, { async: false }));
}
