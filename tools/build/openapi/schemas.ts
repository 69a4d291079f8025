import type { Described, DescribedCollection, DescribedService } from './described.ts';
import { token } from './examples.ts';
import { fieldSchemas, id, readOnlyFields, times } from './fields.ts';
import { hoistDefinitions } from './json-schema.ts';
import { pushResult, pushSchemas, sentItems } from './push-schemas.ts';
import type { Schema, Schemas } from './schema.ts';
import { exactly, listOf, problem, ref } from './schema.ts';

/** Returns all schemas of the document, derived from the validation schemas of the service. */
export function schemasOf(service: DescribedService): Schemas {
  return hoistDefinitions({
    Error: exactly({ error: problem }, 'Every error has this form.'),
    PushResult: pushResult,
    ...profileSchemas(service),
    ...Object.fromEntries(
      service.collections.flatMap((described) => Object.entries(collectionSchemas(described))),
    ),
  });
}

function profileSchemas({ brand, connection }: DescribedService): Schemas {
  const halves = (schemaOf: (half: Described) => Schema): Schemas => ({
    ...readOnlyFields,
    brand: schemaOf(brand),
    connection: schemaOf(connection),
  });
  return {
    Brand: exactly({ ...fieldSchemas(brand), ...times }, brand.text),
    Connection: exactly(fieldSchemas(connection), connection.text),
    Profile: exactly(
      { brand: ref('schemas', 'Brand'), connection: ref('schemas', 'Connection') },
      'The brand and its store connection.',
    ),
    ProfileInput: exactly(
      halves((half) => wholeBody(half, half.text)),
      'The complete profile. Omitted fields are reset to their defaults.',
      ['brand', 'connection'],
    ),
    ProfilePatch: exactly(
      halves((half) => patchBody(half, half.text)),
      'The fields to change, in either half or both (RFC 7396).',
      [],
    ),
  };
}

function collectionSchemas(described: DescribedCollection): Schemas {
  const { collection, names, text } = described;
  const { keys, shown } = collection;
  const { one, noun, nouns } = names;
  const resources = listOf(ref('schemas', one));
  return {
    [one]: exactly({ id, ...fieldSchemas(described), ...('createdAt' in shown && times) }, text),
    [`${one}Envelope`]: exactly({ [keys.one]: ref('schemas', one) }, `One ${noun}.`),
    [`${one}List`]: exactly({ [keys.many]: resources }, `A list of ${nouns}, in order.`),
    [`${one}Changes`]: exactly(
      {
        [keys.many]: {
          ...resources,
          description: `The ${nouns} that were created or changed, as they are now, in the order of their last change.`,
        },
        [keys.deletedMany]: {
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
    ),
    [`${one}Deleted`]: exactly(
      { [keys.deleted]: id, success: { type: 'boolean', const: true } },
      `The ${noun} is deleted.`,
    ),
    [`${one}Input`]: wholeBody(
      described,
      `A complete ${noun}. Omitted fields have their defaults.`,
    ),
    [`${one}ListInput`]: exactly(
      { [keys.many]: sentItems(`${one}Input`) },
      `Several ${nouns}: all are created, or none.`,
    ),
    [`${one}Patch`]: patchBody(
      described,
      'The fields to change (RFC 7396). Omitted fields stay unchanged.',
    ),
    ...pushSchemas(described),
  };
}

function wholeBody(described: Described, description: string): Schema {
  const required = described.fields.filter(({ isRequired }) => isRequired);
  return exactly(
    { ...readOnlyFields, ...fieldSchemas(described, true) },
    description,
    required.map(({ name }) => name),
  );
}

function patchBody(described: Described, description: string): Schema {
  return exactly({ ...readOnlyFields, ...fieldSchemas(described) }, description, []);
}
