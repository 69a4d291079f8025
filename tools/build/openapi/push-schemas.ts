import { MAX_ITEMS } from '../../../src/collection/list-body.ts';
import type { DescribedCollection } from './described.ts';
import { fieldSchemas, id, readOnlyFields } from './fields.ts';
import type { Schema, Schemas } from './schema.ts';
import { exactly, listOf, orNull, problem, ref } from './schema.ts';

/** The result of one push item, the same for every collection. */
export const pushResult: Schema = {
  description: 'The result of one push item.',
  oneOf: [
    exactly({
      id: {
        ...orNull(id),
        description:
          'The id of the resource; null if a dry run would create it, or if a deletion matches none.',
      },
      status: {
        type: 'string',
        enum: ['created', 'updated', 'unchanged', 'deleted', 'stale'],
        description:
          '`created`, `updated` or `deleted`: it is done, or would be without `dryRun`. `unchanged`: there is nothing to do, and nothing is written. `stale`: with `ifNewer=true`, the resource is newer at its source, and nothing is done.',
      },
    }),
    exactly({
      id: { type: 'null', description: 'It is null for a refused item too.' },
      status: {
        type: 'string',
        const: 'refused',
        description: '`refused`: nothing of the item is written, and `error` says why.',
      },
      error: {
        ...problem,
        description: 'Only of a refused item: what is wrong, and what is expected.',
      },
    }),
  ],
};

/** The member that makes an item a deletion. */
const deleted: Schema = {
  type: 'boolean',
  const: true,
  description: 'Makes the item a deletion.',
};

/** The id in a push item. Only `match` says whether it matters, so it may be anything. */
const sentId: Schema = {
  description:
    'With `match=id`, the id of the resource, a lower-case UUID. With another `match`, it is ignored, so that the response of a GET can be sent back.',
};

/** Returns the schemas of a push: its request body and its responses. */
export function pushSchemas(described: DescribedCollection): Schemas {
  const { names, collection } = described;
  const { one, noun, nouns } = names;
  const { keys, matches, sourceTime } = collection;
  const fields = { ...readOnlyFields, ...fieldSchemas(described), id: sentId };
  const inDeletion = Object.entries(fields).filter(
    ([name]) => name in matches || name in readOnlyFields || name === sourceTime,
  );
  const mayHave = sourceTime === undefined ? '' : `, and may have \`${sourceTime}\``;
  return {
    [`${one}PushItem`]: exactly(
      fields,
      `An item that creates or changes: the fields of the ${noun} to set, including the one that \`match\` names. If no ${noun} has that value, the fields that a POST needs are required.`,
      [],
    ),
    [`${one}PushDeletion`]: exactly(
      { ...Object.fromEntries(inDeletion), deleted },
      `An item that deletes the ${noun} that it matches. It has the field that \`match\` names and \`deleted\`${mayHave}.`,
      ['deleted'],
    ),
    [`${one}PushInput`]: exactly(
      { [keys.many]: sentItems(`${one}PushItem`, `${one}PushDeletion`) },
      `A push: the ${nouns} to create, change or delete.`,
    ),
    [`${one}PushResponse`]: exactly(
      {
        [keys.many]: {
          ...listOf(ref('schemas', one)),
          description: `The ${nouns} that were not refused or deleted, in order. \`Prefer: return=minimal\` omits them, and so does a dry run.`,
        },
        results: {
          ...listOf(ref('schemas', 'PushResult')),
          description: 'One result for each item, in order.',
        },
      },
      'The result of a push.',
      ['results'],
    ),
  };
}

/** Returns the schema of the items in a list body, each of which has one of these schemas. */
export function sentItems(...names: readonly string[]): Schema {
  const [only = {}, ...others] = names.map((name) => ref('schemas', name));
  const item = others.length === 0 ? only : { oneOf: [only, ...others] };
  return { ...listOf(item), minItems: 1, maxItems: MAX_ITEMS };
}
