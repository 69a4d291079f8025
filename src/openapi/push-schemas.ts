import { MAX_ITEMS } from '../collection/collection.ts';
import type { DescribedCollection } from './described.ts';
import { sentFields } from './field-schemas.ts';
import type { Schema, Schemas } from './schema.ts';
import { exactly, listOf, orNull, propertiesOf, ref } from './schema.ts';
import { problem } from './error-schema.ts';
import { id } from './service-fields.ts';

/** What became of one item of a push. It is the same for every collection. */
export const pushResult: Schema = {
  description: 'What became of one item of a push.',
  oneOf: [
    exactly({
      id: {
        ...orNull(id),
        description: 'The id of the resource; null if a dry run would create it.',
      },
      status: { type: 'string', enum: ['created', 'updated', 'unchanged'] },
    }),
    exactly({
      id: { type: 'null' },
      status: { type: 'string', const: 'refused' },
      error: problem,
    }),
  ],
};

/** The schemas of a push to a collection: its body, and its answers. */
export function pushSchemas(described: DescribedCollection): Schemas {
  const { one, nouns } = described.names;
  return {
    [`${one}PushItem`]: pushItem(described),
    [`${one}PushInput`]: exactly(
      { [described.collection.keys.many]: sentItems(`${one}PushItem`) },
      `The ${nouns} to create or change.`,
    ),
    [`${one}PushResponse`]: pushResponse(described, one, 'What a push did.'),
    [`${one}DryRunResponse`]: pushResponse(described, `${one}Preview`, 'What a push would do.'),
  };
}

/** The items of a body with many. */
export function sentItems(item: string): Schema {
  return { ...listOf(ref('schemas', item)), minItems: 1, maxItems: MAX_ITEMS };
}

/** One item of a push: a PATCH, and an id by which it may find its resource. */
function pushItem(described: DescribedCollection): Schema {
  const { noun } = described.names;
  const item = sentFields(
    described.collection.patch,
    described,
    `The fields of a ${noun} to set, the one that \`match\` names among them. If no ${noun} has that value, the fields that a POST needs are required.`,
    false,
  );
  return { ...item, properties: { ...propertiesOf(item), id } };
}

function pushResponse(
  { collection, names }: DescribedCollection,
  item: string,
  description: string,
): Schema {
  const response = exactly(
    {
      [collection.keys.many]: {
        ...listOf(ref('schemas', item)),
        description: `The ${names.nouns} that were not refused, in order. \`Prefer: return=minimal\` omits them.`,
      },
      results: {
        ...listOf(ref('schemas', 'PushResult')),
        description: 'One result for each item, in order.',
      },
    },
    description,
  );
  return { ...response, required: ['results'] };
}
