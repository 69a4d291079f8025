import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { Contents } from '../contents.ts';
import { methodBadge } from './method.ts';

/**
 * The links to everything on the page.
 * @param label what tells this navigation from another one on the page
 */
export function navigation({ guides, sections }: Contents, label: string): Html {
  return html`<nav aria-label="${label}">
    <p class="group">Guides</p>
    <ul>
      ${guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      <li><a href="#headers">Common headers</a></li>
    </ul>
    ${sections.map(
      ({ id, title, resources, operations }) =>
        html`<p class="group"><a href="#${id}">${title}</a></p>
          <ul>
            ${resources.map(
              (resource) => html`<li><a href="#${resource.id}">The ${resource.name}</a></li>`,
            )}
            ${operations.map(
              ({ id, method, summary }) =>
                html`<li>
                  <a href="#${id}"><span>${summary}</span> ${methodBadge(method)}</a>
                </li>`,
            )}
          </ul>`,
    )}
    <p class="group">More</p>
    <ul>
      <li><a href="/api/brand/v1/openapi.json">OpenAPI document</a></li>
    </ul>
  </nav>`;
}
