import { listOf } from '../../../common/list-of.ts';
import { MAX_ITEMS } from '../../../src/collection/envelope.ts';
import type {
  Described,
  DescribedCollection,
  DescribedField,
  DescribedService,
} from './described.ts';
import { token } from './examples.ts';
import {
  defaultText,
  fieldSchemas,
  id,
  namedSchemas,
  readOnlyFields,
  replacementText,
  times,
} from './fields.ts';
import type { Schema, Schemas } from './schema.ts';
import { exactly, merged, orNull, ref } from './schema.ts';

/** Returns all schemas of the document, derived from the validation schemas of the service. */
export function schemasOf({ brand, connection, collections }: DescribedService): Schemas {
  const halves = (schemaOf: (half: Described, description: string) => Schema): Schemas => ({
    ...readOnlyFields,
    brand: schemaOf(brand, brand.text),
    connection: schemaOf(connection, connection.text),
  });
  return {
    ErrorBody: exactly(
      { error: { type: 'string', description: 'What is wrong, and what is expected.' } },
      'Every error has this form.',
    ),
    PushResult: pushResult,
    Brand: exactly({ ...fieldSchemas(brand), ...times }, brand.text),
    Connection: exactly(fieldSchemas(connection), connection.text),
    Profile: exactly(
      { brand: ref('schemas', 'Brand'), connection: ref('schemas', 'Connection') },
      'The brand and its store connection.',
    ),
    ProfileInput: exactly(
      halves((half, description) => wholeBody(half, description)),
      'The complete profile. Omitted fields are reset to their defaults.',
      ['brand', 'connection'],
    ),
    ProfilePatch: exactly(
      halves(patchBody),
      'The fields to change, in either half or both (RFC 7396).',
      [],
    ),
    ...merged(collections.map(collectionSchemas)),
    ...namedSchemas(),
  };
}

function collectionSchemas(described: DescribedCollection): Schemas {
  const { collection, one, noun, nouns, text } = described;
  const { keys, visible } = collection;
  const resources = { type: 'array', items: ref('schemas', one) };
  return {
    [one]: exactly({ id, ...fieldSchemas(described), ...('createdAt' in visible && times) }, text),
    [`${one}Envelope`]: exactly({ [keys.one]: ref('schemas', one) }, `One ${noun}.`),
    [`${one}List`]: exactly({ [keys.many]: resources }, `A list of ${nouns}, in order.`),
    [`${one}Changes`]: exactly(
      {
        [keys.many]: {
          ...resources,
          description: `The ${nouns} that were created or changed, as they are now, in the order of their last change.`,
        },
        [keys.deletedMany]: {
          type: 'array',
          items: id,
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
    [`${one}Replacement`]: wholeBody(
      described,
      `A complete ${noun}. ${replacementRule(described)}`,
      replacementText,
    ),
    [`${one}ListInput`]: exactly(
      { [keys.many]: sentItems(ref('schemas', `${one}Input`)) },
      `Several ${nouns}: all are created, or none.`,
    ),
    [`${one}Patch`]: patchBody(
      described,
      'The fields to change (RFC 7396). Omitted fields stay unchanged.',
    ),
    ...pushSchemas(described),
  };
}

/** Says which of the fields that a PUT leaves out it resets, and which it keeps. */
export function replacementRule({ fields }: Described): string {
  const inCode = ({ name }: DescribedField): string => `\`${name}\``;
  const reset = fields.filter(({ isReset }) => isReset).map(inCode);
  const special = fields.filter(({ inPut }) => inPut !== undefined).map(inCode);
  const others =
    special.length > 0 ? `all others but ${listOf(special, 'conjunction')}` : 'the others';
  return `Of the fields that are left out, ${listOf(reset, 'conjunction')} are reset to their defaults; ${others} stay as they are.`;
}

function wholeBody(
  described: Described,
  description: string,
  ifOmitted: (field: DescribedField) => string = defaultText,
): Schema {
  const required = described.fields.filter(({ isRequired }) => isRequired);
  return exactly(
    { ...readOnlyFields, ...fieldSchemas(described, ifOmitted) },
    description,
    required.map(({ name }) => name),
  );
}

function patchBody(described: Described, description: string): Schema {
  return exactly({ ...readOnlyFields, ...fieldSchemas(described) }, description, []);
}

const pushResult: Schema = {
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
        type: 'string',
        description: 'Only of a refused item: what is wrong, and what is expected.',
      },
    }),
  ],
};

/** The id in a push item. Only `match` says whether it matters, so it may be anything. */
const sentId: Schema = {
  description:
    'With `match=id`, the id of the resource, a lower-case UUID. With another `match`, it is ignored, so that the response of a GET can be sent back.',
};

function pushSchemas(described: DescribedCollection): Schemas {
  const { collection, one, noun, nouns } = described;
  const { keys, matches, sourceTime } = collection;
  const fields = { ...readOnlyFields, ...fieldSchemas(described), id: sentId };
  const inDeletion = Object.entries(fields).filter(
    ([name]) => name in matches || name in readOnlyFields || name === sourceTime,
  );
  const deleted = { type: 'boolean', const: true, description: 'Makes the item a deletion.' };
  const mayHave = sourceTime === undefined ? '' : `, and may have \`${sourceTime}\``;
  const kinds = [ref('schemas', `${one}PushItem`), ref('schemas', `${one}PushDeletion`)];
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
      { [keys.many]: sentItems({ oneOf: kinds }) },
      `A push: the ${nouns} to create, change or delete.`,
    ),
    [`${one}PushResponse`]: exactly(
      {
        [keys.many]: {
          type: 'array',
          items: ref('schemas', one),
          description: `The ${nouns} that were not refused or deleted, in order. \`Prefer: return=minimal\` omits them, and so does a dry run.`,
        },
        results: {
          type: 'array',
          items: ref('schemas', 'PushResult'),
          description: 'One result for each item, in order.',
        },
      },
      'The result of a push.',
      ['results'],
    ),
  };
}

function sentItems(items: Schema): Schema {
  return { type: 'array', items, minItems: 1, maxItems: MAX_ITEMS };
}
