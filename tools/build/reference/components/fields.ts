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

/** The description of a field, with its constant default as its other sentences are. */
function described({ description, constantDefault }: Field): string {
  if (constantDefault === undefined) return description;
  return `${description} Default: \`${JSON.stringify(constantDefault)}\`.`;
}
