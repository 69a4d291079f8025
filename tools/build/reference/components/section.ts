import type { Section } from '../contents.ts';
import type { Document } from '../document.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import type { Sample } from '../samples/samples.ts';
import type { CommonNames } from './common.ts';
import { resourceSection } from './fields.ts';
import { heading } from './heading.ts';
import { methodBadge } from './method.ts';
import { operationSection } from './operation.ts';
import { row } from './row.ts';

/** A group of operations with the resources that they read and write. */
export function tagSection(
  document: Document,
  { id, title, description, resources, operations }: Section,
  samples: ReadonlyMap<string, readonly Sample[]>,
  common: CommonNames,
): Html {
  const overview = html`<figure class="overview">
    <figcaption>Operations</figcaption>
    <ul>
      ${operations.map(
        ({ id: target, method, path }) =>
          html`<li>
            <a href="#${target}">${methodBadge(method)} <code>${path}</code></a>
          </li>`,
      )}
    </ul>
  </figure>`;
  return html`<div class="section">
    ${row(
      html`${heading(2, id, title)}
        <p>${inlineMarkdown(description)}</p>`,
      [overview],
    )}
    ${resources.map(resourceSection)}
    ${operations.map((operation) =>
      operationSection(document, operation, resources, samples.get(operation.id) ?? [], common),
    )}
  </div>`;
}
