import { highlightedHtml } from './highlighter.js';
import type { Html } from './html.ts';
import { raw } from './html.ts';

/** Where the samples send their requests, until the page's script knows better. */
export const ORIGIN = 'https://api.example.com';

/**
 * Code in colours. The service's address is marked for the page's script.
 * @param language as in a fence of Markdown: sh, ts, python or json
 * @throws Error for another language
 */
export function highlight(code: string, language: string): Html {
  const html = highlightedHtml(code, language);
  return raw(html.replaceAll(ORIGIN, `<span data-origin>${ORIGIN}</span>`));
}
