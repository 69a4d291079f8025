import type { Document, Schema } from './document.ts';
import { nameOf, schemaOf } from './document.ts';
import { typeLabel, wordsOf } from './resources.ts';

/** A member of a body that is not a field of a resource. */
export interface Member {
  /** Such as `results[].status`. */
  readonly name: string;
  readonly type: string;
  /** In Markdown. */
  readonly description: string;
}

/** Returns the schemas of which a body has one. */
export function formsOf(document: Document, schema: Schema): readonly Schema[] {
  const form = schemaOf(document, schema);
  const forms = form.anyOf ?? form.oneOf;
  return forms?.flatMap((one) => formsOf(document, one)) ?? [form];
}

/**
 * Returns the members of a body that the document describes, and those of the objects in its lists.
 * @param resources names of resources, whose fields are described elsewhere
 * @param prefix what the names begin with
 */
export function membersOf(
  document: Document,
  forms: readonly Schema[],
  resources: readonly string[],
  prefix = '',
): readonly Member[] {
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].flatMap((name) => {
    const schemas = forms
      .map(({ properties = {} }) => properties[name])
      .filter((schema) => schema !== undefined);
    const descriptions = unique(schemas.flatMap(({ description }) => description ?? []));
    if (descriptions.length === 0) return [];
    const types = schemas.flatMap((schema) => typeLabel(document, schema).split(' or '));
    const items = schemas.map((schema) => schema.items).filter((item) => item !== undefined);
    const isResource = items.some((item) =>
      resources.some((resource) => wordsOf(nameOf(item) ?? '').startsWith(resource)),
    );
    const below = isResource ? [] : items.flatMap((item) => formsOf(document, item));
    return [
      {
        name: prefix + name,
        type: unique(types).join(' or '),
        description: descriptions.join(' '),
      },
      ...membersOf(document, below, resources, `${prefix}${name}[].`),
    ];
  });
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
