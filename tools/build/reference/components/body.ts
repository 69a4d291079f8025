import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { Operation } from '../operations.ts';
import type { Resource } from '../resources.ts';
import { heading } from './heading.ts';

/** What the body of an operation may hold: the fields of its resources, which are described with them. */
export function bodyFields({ id, method, body }: Operation, resources: readonly Resource[]): Html {
  if (body === undefined) return html``;
  return html`${heading(4, `${id}-body`, 'Body')}
  ${resources.map((resource) => {
    const writable = resource.fields.filter(({ presence }) => presence !== 'read-only');
    return html`<p>
        ${introductionOf(method)} of ${articleOf(resource.name)}
        <a href="#${resource.id}">${resource.name}</a>:
      </p>
      <ul class="chips">
        ${writable.map(
          (field) =>
            html`<li>
              <a href="#${field.id}"><code>${field.name}</code></a
              >${method !== 'patch' && field.presence === 'required' && ' required'}
            </li>`,
        )}
      </ul>`;
  })}`;
}

function introductionOf(method: Operation['method']): string {
  return method === 'patch' ? 'Any of the fields' : 'The fields';
}

function articleOf(name: string): string {
  return name === 'brand' || name === 'connection' ? 'the' : 'a';
}
