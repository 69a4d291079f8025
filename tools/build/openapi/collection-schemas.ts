import type { DescribedCollection } from './described.ts';
import { token } from './examples.ts';
import { sentFields, shownFields } from './field-schemas.ts';
import { pushSchemas, sentItems } from './push-schemas.ts';
import type { Schema, Schemas } from './schema.ts';
import { exactly, listOf, ref } from './schema.ts';
import { id, times } from './service-fields.ts';

/** Returns the schemas of a collection: its resource, its request bodies, and their envelopes. */
export function collectionSchemas(described: DescribedCollection): Schemas {
  const { collection, names, text } = described;
  const { keys, postBody, patchBody } = collection;
  const { one, noun, nouns } = names;
  const visibleTimes = 'createdAt' in collection.shown ? times : {};
  const shown = shownFields(described);
  return {
    [one]: exactly({ id, ...shown, ...visibleTimes }, text),
    [`${one}Envelope`]: exactly({ [keys.one]: ref('schemas', one) }, `One ${noun}.`),
    [`${one}List`]: exactly(
      { [keys.many]: listOf(ref('schemas', one)) },
      `A list of ${nouns}, in order.`,
    ),
    [`${one}Changes`]: changes(described),
    [`${one}Deleted`]: exactly(
      { [keys.deleted]: id, success: { type: 'boolean', const: true } },
      `The ${noun} is deleted.`,
    ),
    [`${one}Input`]: sentFields(
      postBody,
      described,
      `A complete ${noun}. Omitted fields have their defaults.`,
      true,
    ),
    [`${one}ListInput`]: exactly(
      { [keys.many]: sentItems(`${one}Input`) },
      `Several ${nouns}: all are created, or none.`,
    ),
    [`${one}Patch`]: sentFields(
      patchBody,
      described,
      'The fields to change (RFC 7396). Omitted fields stay unchanged.',
      false,
    ),
    ...pushSchemas(described),
  };
}

function changes(described: DescribedCollection): Schema {
  const { collection, names } = described;
  const { many, deletedMany } = collection.keys;
  const { one, nouns } = names;
  return exactly(
    {
      [many]: {
        ...listOf(ref('schemas', one)),
        description: `The ${nouns} that were created or changed, as they are now, in the order of their last change.`,
      },
      [deletedMany]: {
        ...listOf(id),
        description: `The ids of the ${nouns} that were deleted.`,
      },
      since: {
        type: 'string',
        description: 'The token to continue from. It is opaque.',
        examples: [token(described)],
      },
    },
    'What changed since a token was issued.',
  );
}
