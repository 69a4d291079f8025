import type { Html } from '../html.ts';
import { html } from '../html.ts';

/** What the page's script makes work: the search, and the switch of colours. Without it they are not shown. */
export function tools(): Html {
  return html`<div class="tools">
    <button type="button" class="search" aria-keyshortcuts="Control+K /">
      <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
        <circle cx="8.5" cy="8.5" r="6" fill="none" stroke="currentColor" stroke-width="2" />
        <path d="m13 13 5 5" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
      </svg>
      <span>Search</span> <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
    <button type="button" class="scheme" aria-label="Switch colours">
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" stroke-width="2" />
        <path d="M10 2a8 8 0 0 1 0 16z" fill="currentColor" />
      </svg>
    </button>
  </div>`;
}
