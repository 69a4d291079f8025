import type { Html } from '../html.ts';
import { html } from '../html.ts';

/** The name of a method, in its colour. */
export function methodBadge(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}
