import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import type { Field, Resource } from '../resources.ts';
import { definitions, presenceNote, typeNote } from './definitions.ts';
import { heading } from './heading.ts';
import { row } from './row.ts';
import { tabs } from './tabs.ts';

/** The fields of a resource, each with its meaning, and an example beside them. */
export function resourceSection({ id, name, description, fields, example }: Resource): Html {
  const text = html`${heading(3, id, `The ${name}`)}
    <p>${inlineMarkdown(description)}</p>
    ${definitions(
      fields.map((field) => ({
        ...field,
        description: described(field),
        // One of the values would be no news.
        example: field.values.length > 0 ? undefined : field.example,
        notes: [
          typeNote(field.type),
          ...(field.presence === 'optional' ? [] : [presenceNote(field.presence)]),
        ],
      })),
    )}`;
  const json = JSON.stringify(example, null, 2);
  return html`<article>
    ${row(text, [
      tabs(id, `The ${name}`, [{ label: 'JSON', value: '1', language: 'json', text: json }]),
    ])}
  </article>`;
}

/** The names of fields, each a link to its description. */
export function fieldLinks(fields: readonly Field[], note?: (field: Field) => string): Html {
  return html`<ul class="chips">
    ${fields.map(
      (field) =>
        html`<li>
          <a href="#${field.id}"><code>${field.name}</code></a
          >${note?.(field)}
        </li>`,
    )}
  </ul>`;
}

/** The description of a field, with its constant default as its other sentences are. */
function described({ description, constantDefault }: Field): string {
  if (constantDefault === undefined) return description;
  return `${description} Default: \`${JSON.stringify(constantDefault)}\`.`;
}
