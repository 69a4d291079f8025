import type { Document } from '../document.ts';
import { ORIGIN } from '../highlight.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import { row } from './row.ts';
import { tabs } from './tabs.ts';

/** The top of the page: what it describes, and where the service is. */
export function hero({ info, servers: [{ url }] }: Document): Html {
  const text = html`<h1>${info.title}</h1>
    <p class="lead">${inlineMarkdown(info.summary)}</p>
    <p class="facts">
      <span>Version ${info.version}</span>
      <a href="/api/brand/v1/openapi.json">OpenAPI document</a>
    </p>`;
  const address = { label: 'URL', value: '1', language: 'sh', text: ORIGIN + url };
  return html`<div class="hero">${row(text, [tabs('service', 'Base URL', [address])])}</div>`;
}
