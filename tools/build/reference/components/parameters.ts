import type { Document, Parameter } from '../document.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { Operation } from '../operations.ts';
import { typeLabel } from '../resources.ts';
import { valuesOf, withoutValues } from '../values.ts';
import type { Definition } from './definitions.ts';
import { definitions, presenceNote, typeNote } from './definitions.ts';
import { heading } from './heading.ts';

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

/**
 * The parameters of an operation, by where they stand.
 * @param common names of those that every operation has, which are described once
 */
export function parameterLists(
  document: Document,
  { id, parameters }: Operation,
  common: ReadonlySet<string>,
): Html {
  const own = parameters.filter(({ name }) => !common.has(name));
  return html`${PLACES.map(([place, title]) => {
    const here = own.filter((parameter) => parameter.in === place);
    if (here.length === 0) return html``;
    return html`${heading(4, `${id}-${place}`, title)}
    ${definitions(here.map((parameter) => definitionOf(document, parameter, id)))}`;
  })}`;
}

/** A parameter as a list of definitions shows it. */
export function definitionOf(
  document: Document,
  { name, description, required = false, schema, example }: Parameter,
  id: string,
): Definition {
  const values = valuesOf(schema);
  return {
    id: `${id}-${name}`,
    name,
    notes: [typeNote(typeLabel(document, schema)), ...(required ? [presenceNote('required')] : [])],
    description: [description, withoutValues(schema.description ?? '')].filter(Boolean).join(' '),
    values,
    // One of the values would be no news.
    example: values.length > 0 ? undefined : example,
  };
}
