import type { Html } from '../html.ts';
import { html, raw } from '../html.ts';

/** A heading that links to itself, so that readers can share it. */
export function heading(level: 2 | 3 | 4, id: string, content: Html | string): Html {
  const tag = raw(`h${level}`);
  return html`<${tag} id="${id}"><a href="#${id}">${content}</a></${tag}>`;
}
