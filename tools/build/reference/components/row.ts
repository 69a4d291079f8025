import type { Html } from '../html.ts';
import { html } from '../html.ts';

/** Text, and the code that belongs to it: side by side if the screen is wide, else one below the other. */
export function row(text: Html, code: readonly Html[]): Html {
  return html`<div class="row">
    <div class="text">${text}</div>
    ${code.length > 0 && html`<div class="code"><div class="sticky">${code}</div></div>`}
  </div>`;
}
