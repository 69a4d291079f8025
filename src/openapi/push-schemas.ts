import { MAX_ITEMS } from '../collection/collection.ts';
import type { DescribedCollection } from './described.ts';
import { sentFields } from './field-schemas.ts';
import type { Schema, Schemas } from './schema.ts';
import { exactly, listOf, orNull, propertiesOf, ref } from './schema.ts';
import { problem } from './error-schema.ts';
import { id } from './service-fields.ts';

/** The result of one push item, the same for every collection. */
export const pushResult: Schema = {
  description: 'The result of one push item.',
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

/** Returns the schemas of a push: its request body and its responses. */
export function pushSchemas(described: DescribedCollection): Schemas {
  const { one, nouns } = described.names;
  return {
    [`${one}PushItem`]: pushItem(described),
    [`${one}PushInput`]: exactly(
      { [described.collection.keys.many]: sentItems(`${one}PushItem`) },
      `The ${nouns} to create or change.`,
    ),
    [`${one}PushResponse`]: pushResponse(described, one, 'The result of a push.'),
    [`${one}DryRunResponse`]: pushResponse(
      described,
      `${one}Preview`,
      'The result that a push would have.',
    ),
  };
}

/** Returns the schema of the items in a list body. */
export function sentItems(item: string): Schema {
  return { ...listOf(ref('schemas', item)), minItems: 1, maxItems: MAX_ITEMS };
}

/** Returns the schema of a push item: the fields of a PATCH, and an id that it can be matched by. */
function pushItem(described: DescribedCollection): Schema {
  const { noun } = described.names;
  const item = sentFields(
    described.collection.patch,
    described,
    `The fields of a ${noun} to set, including the one that \`match\` names. If no ${noun} has that value, the fields that a POST needs are required.`,
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
