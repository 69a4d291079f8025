import type { Document, Schema } from './document.ts';
import { nameOf, schemaOf } from './document.ts';
import { typeLabel, wordsOf } from './resources.ts';
import { valuesOf } from './values.ts';

/** A member of a body. */
export interface Member {
  readonly name: string;
  readonly type: string;
  /** In Markdown. */
  readonly description: string;
  /** The values of which it has one; empty if there is no such set. */
  readonly values: readonly string[];
  /** The name of the resource that it is, or of which it is a list: its fields are described with it. */
  readonly resource: string | undefined;
  /** The members of the object that it is, or of those in its list. */
  readonly members: readonly Member[];
}

/** Returns the schemas of which a body has one. */
export function formsOf(document: Document, schema: Schema): readonly Schema[] {
  const form = schemaOf(document, schema);
  const forms = form.anyOf ?? form.oneOf;
  return forms?.flatMap((one) => formsOf(document, one)) ?? [form];
}

/**
 * Returns a form of a body in words, as Markdown; of a list its shape, and what its items are unless another form says it.
 * @param forms the schemas of which the body has one
 */
export function formText(
  document: Document,
  { description, properties = {} }: Schema,
  forms: readonly Schema[],
): string {
  const kindsOf = ({ items }: Schema): readonly Schema[] => items?.oneOf ?? (items ? [items] : []);
  const lists = Object.entries(properties).filter(([, list]) => kindsOf(list).some(nameOf));
  const shapes = lists.map(
    ([name, { minItems = 0, maxItems = '' }]) =>
      `\`{"${name}": […]}\` with ${minItems} to ${maxItems} items.`,
  );
  const items = lists
    .flatMap(([, list]) => kindsOf(list))
    .map((item) => schemaOf(document, item).description);
  const said = items.filter((text) => forms.every((form) => form.description !== text));
  return [...shapes, description, ...said].filter(Boolean).join(' ');
}

/**
 * Returns the members of a body, and those of the objects in it.
 * @param forms the schemas of which the body has one
 * @param resources names of resources, whose fields are described elsewhere
 */
export function membersOf(
  document: Document,
  forms: readonly Schema[],
  resources: readonly string[],
): readonly Member[] {
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const schemas = forms
      .map(({ properties = {} }) => properties[name])
      .filter((schema) => schema !== undefined);
    const values = schemas.map(({ items, ...schema }) => items ?? schema);
    const resource = resources.find((one) =>
      values.some((value) => wordsOf(nameOf(value) ?? '').startsWith(one)),
    );
    const described = schemas.flatMap((schema) => schemaOf(document, schema).description ?? []);
    return {
      name,
      type: unique(schemas.flatMap((schema) => typeLabel(document, schema).split(' or '))).join(
        ' or ',
      ),
      description: unique(described).join(' '),
      values: unique(schemas.flatMap((schema) => valuesOf(schemaOf(document, schema)))),
      resource,
      members:
        resource === undefined
          ? membersOf(
              document,
              values.flatMap((value) => formsOf(document, value)),
              resources,
            )
          : [],
    };
  });
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
