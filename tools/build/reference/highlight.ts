import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import type { Html } from './html.ts';
import { raw } from './html.ts';

highlighter.registerLanguage('sh', bash);
highlighter.registerLanguage('json', json);
highlighter.registerLanguage('python', python);
highlighter.registerLanguage('ts', typescript);

/** Where the samples send their requests, until the page's script knows better. */
export const ORIGIN = 'https://api.example.com';

/**
 * Code in colours, which classes name. The service's address is marked for the page's script.
 * @param language as in a fence of Markdown: sh, ts, python or json
 * @throws Error for a language that is not known
 */
export function highlight(code: string, language: string): Html {
  const { value } = highlighter.highlight(code, { language });
  return raw(value.replaceAll(ORIGIN, `<span data-origin>${ORIGIN}</span>`));
}
