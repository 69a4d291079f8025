import { formsOf, formText } from '../bodies.ts';
import type { Document } from '../document.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import type { Operation } from '../operations.ts';
import type { Resource } from '../resources.ts';
import { fieldLinks } from './fields.ts';
import { heading } from './heading.ts';

/**
 * What the body of an operation may hold: the forms that it may have, and the fields of its resources, which are described
 * with them.
 */
export function bodyFields(
  document: Document,
  { id, method, body }: Operation,
  resources: readonly Resource[],
): Html {
  if (body === undefined) return html``;
  const forms = formsOf(document, body.schema);
  // Some forms change what exists, and need less.
  const required = forms.length > 1 ? ' required to create' : ' required';
  return html`${heading(4, `${id}-body`, 'Body')}
  ${
    forms.length > 1 &&
    html`<p>One of:</p>
      <ul>
        ${forms.map((form) => html`<li>${inlineMarkdown(formText(document, form, forms))}</li>`)}
      </ul>`
  }
  ${resources.map((resource) => {
    const writable = resource.fields.filter(({ presence }) => presence !== 'read-only');
    return html`<p>
        ${introductionOf(method)} of ${articleOf(resource.name)}
        <a href="#${resource.id}">${resource.name}</a>:
      </p>
      ${fieldLinks(writable, ({ presence }) =>
        method !== 'patch' && presence === 'required' ? required : '',
      )}`;
  })}`;
}

function introductionOf(method: Operation['method']): string {
  return method === 'patch' ? 'Any of the fields' : 'The fields';
}

function articleOf(name: string): string {
  return name === 'brand' || name === 'connection' ? 'the' : 'a';
}
