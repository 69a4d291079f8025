import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CollectionName, Field } from '../src/fields.ts';
import { COLLECTION_NAMES, COLLECTIONS, FIELDS, filtersOf } from '../src/fields.ts';
import { BrandClient } from '../src/index.ts';
import { ANY_CASE } from '../src/stored-text.ts';
import { collections } from '../../src/resources/registry.ts';
import { document } from '../../test/support/document.ts';

// client/src/fields.ts, and the names of collections in client/src/index.ts, are written by hand. They are compared with the OpenAPI
// document.

const schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  readOnly: z.boolean().optional(),
});
const object = z.object({ properties: z.record(z.string(), schema) });
const operation = z.object({
  parameters: z.array(
    z
      .looseObject({ name: z.string(), schema: z.object({ enum: z.array(z.string()).optional() }) })
      .or(z.object({ $ref: z.string() })),
  ),
});

/** The parameters of a list that are no filters. */
const PAGING = ['since', 'limit', 'cursor'];

function propertiesOf(name: string): readonly (readonly [string, z.infer<typeof schema>])[] {
  return Object.entries(object.parse(document.components['schemas']?.[name]).properties);
}

function parametersOf(path: string, method: string) {
  const { parameters } = operation.parse(document.paths[path]?.[method]);
  return parameters.flatMap((one) => ('name' in one ? [one] : []));
}

function kindOf({ type, format, pattern }: z.infer<typeof schema>): Field['kind'] {
  const [first] = [type ?? 'string'].flat();
  switch (first) {
    case 'integer':
    case 'number':
    case 'boolean':
      return first;
    case 'array':
      return 'list';
    default:
      if (format === 'date-time') return 'time';
      return pattern !== undefined && new RegExp(pattern, 'u').test('two\nlines') ? 'text' : 'line';
  }
}

function nameOf(path: string): CollectionName {
  return z.enum(COLLECTION_NAMES).parse(path);
}

it('The client knows all collections', () => {
  expect(COLLECTION_NAMES).toEqual(collections.map(({ path }) => path));
});

describe.each(collections.map(({ path, keys }) => [path, keys] as const))('%s', (path, keys) => {
  const name = nameOf(path);
  const one = keys.one.charAt(0).toUpperCase() + keys.one.slice(1);

  it('The fields that the client knows are those of the collection, in the order of the document', () => {
    const readOnly = new Set(
      propertiesOf(`${one}Replacement`).flatMap(([field, is]) => (is.readOnly ? field : [])),
    );
    const matches = parametersOf(`/${path}`, 'post').find((each) => each.name === 'match');
    const filters = parametersOf(`/${path}`, 'get').map((each) => each.name);
    const expected = propertiesOf(one).map(([field, is]): Field => ({
      name: field,
      kind: readOnly.has(field) ? 'readOnly' : kindOf(is),
      ...([is.type].flat().includes('null') && { isNullable: true }),
      ...(matches?.schema.enum?.includes(field) && { isMatch: true }),
      ...(filters.includes(field) && { isFilter: true }),
    }));
    const differ = 'client/src/fields.ts (received) and the document (expected) differ';
    expect(FIELDS[name], differ).toEqual(expected);
    expect(new Set(filtersOf(name)), differ).toEqual(
      new Set(filters.filter((filter) => !PAGING.includes(filter))),
    );
  });

  it('The names that the client knows are those of the collection', () => {
    const client = new BrandClient({ apiKey: 'a', baseUrl: 'http://localhost' });
    const { key } = COLLECTIONS[name];
    expect(key).toBe(keys.many);
    expect(client[key].names).toEqual({
      path,
      one: keys.one,
      many: keys.many,
      deletedMany: keys.deletedMany,
    });
  });
});

it('The client knows what is unique whatever its case', () => {
  const unique = collections.flatMap((one) => one.unique?.name ?? []);
  expect(new Set(ANY_CASE)).toEqual(new Set(unique));
});

// The client compares a field by its name alone.
it.each([
  [
    'is a time',
    (path: string, field: string) =>
      FIELDS[nameOf(path)].some(({ name, kind }) => name === field && kind === 'time'),
  ],
  [
    'is unique whatever its case',
    (path: string, field: string) =>
      collections.some((one) => one.path === path && one.unique?.name === field),
  ],
] as const)('A field has one meaning in all collections: it %s', (_, isOne) => {
  for (const path of COLLECTION_NAMES) {
    for (const { name } of FIELDS[path]) {
      const having = COLLECTION_NAMES.filter((other) =>
        FIELDS[other].some((field) => field.name === name),
      );
      expect(new Set(having.map((other) => isOne(other, name))).size, name).toBe(1);
    }
  }
});
