import { formsOf } from '../bodies.ts';
import type { Document, Schema } from '../document.ts';
import { nameOf, schemaOf } from '../document.ts';
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
        ${forms.map((form) => html`<li>${formText(document, form, forms)}</li>`)}
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

/** A form in words; of a list its shape, and what its items are unless another form says it. */
function formText(
  document: Document,
  { description, properties = {} }: Schema,
  forms: readonly Schema[],
): Html {
  const kindsOf = ({ items }: Schema): readonly Schema[] => items?.oneOf ?? (items ? [items] : []);
  const lists = Object.entries(properties).filter(([, list]) => kindsOf(list).some(nameOf));
  const items = lists
    .flatMap(([, list]) => kindsOf(list))
    .map((item) => schemaOf(document, item).description);
  const said = items.filter((text) => forms.every((form) => form.description !== text));
  return html`${lists.map(
    ([name, { minItems = 0, maxItems = '' }]) =>
      html`<code>{"${name}": […]}</code> with ${minItems} to ${maxItems} items. `,
  )}
  ${inlineMarkdown([description, ...said].filter(Boolean).join(' '))}`;
}

function introductionOf(method: Operation['method']): string {
  return method === 'patch' ? 'Any of the fields' : 'The fields';
}

function articleOf(name: string): string {
  return name === 'brand' || name === 'connection' ? 'the' : 'a';
}
