import * as z from 'zod/mini';
import { MAX_ITEMS } from '../collection/collection.ts';
import { withoutDefault, withoutNull } from '../fields/schema.ts';
import type {
  Described,
  DescribedCollection,
  DescribedField,
  DescribedService,
} from './described.ts';
import { token } from './examples.ts';

/** A schema of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** A reference to a component. */
export function ref(kind: string, name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` };
}

const id: Schema = {
  type: 'string',
  format: 'uuid',
  description: 'A lower-case UUID, assigned by the service.',
};
const time = (description: string): Schema => ({
  type: 'string',
  format: 'date-time',
  description,
});
const times = {
  createdAt: time('When it was created, in UTC with milliseconds.'),
  updatedAt: time('When it last changed, in UTC with milliseconds.'),
};
const readOnly = Object.fromEntries(
  Object.entries({ id, ...times }).map(([name, { description }]) => [
    name,
    {
      readOnly: true,
      description: `${String(description)} It is ignored here, so that what a GET returned can be sent back.`,
    },
  ]),
);

const problem: Schema = { type: 'string', description: 'What is wrong, and what would be right.' };

const pushResult: Schema = {
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

/** All schemas of the document, derived from those that the service validates with. */
export function schemasOf(service: DescribedService): Record<string, Schema> {
  const { profile, brand, connection, collections } = service;
  return hoisted({
    Error: { ...exactly({ error: problem }), description: 'Every error has this form.' },
    PushResult: pushResult,
    Brand: exactly({ ...shown(brand), ...times }, brand.text),
    Connection: exactly(shown(connection), connection.text),
    Profile: exactly({ brand: ref('schemas', 'Brand'), connection: ref('schemas', 'Connection') }),
    ProfileInput: sentProfile(
      profile.full,
      service,
      'The whole profile. What is left out goes back to its default.',
      true,
    ),
    ProfilePatch: sentProfile(
      profile.patch,
      service,
      'The fields to change, in either half or both (RFC 7396).',
      false,
    ),
    ...Object.fromEntries(
      collections.flatMap((described) => Object.entries(collectionSchemas(described))),
    ),
  });
}

function collectionSchemas(described: DescribedCollection): Record<string, Schema> {
  const { collection, names, text } = described;
  const { keys, full, patch, idFallbacks } = collection;
  const { one, noun, nouns } = names;
  const fields = shown(described);
  const byId = Object.fromEntries(
    Object.entries(fields).filter(([name]) => idFallbacks.includes(name)),
  );
  const visibleTimes = 'createdAt' in collection.shown ? times : {};
  const unsettled = (schemas: Readonly<Record<string, Schema>>): Record<string, Schema> =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, orNull(schema)]));
  const pushed = (item: string, description: string): Schema => ({
    ...exactly(
      {
        [keys.many]: {
          ...listOf(ref('schemas', item)),
          description: `The ${nouns} that were not refused, in order. \`Prefer: return=minimal\` omits them.`,
        },
        results: {
          ...listOf(ref('schemas', 'PushResult')),
          description: 'One result for each item, in order.',
        },
      },
      description,
    ),
    required: ['results'],
  });
  const sentItems = (item: string): Schema => ({
    ...listOf(ref('schemas', item)),
    minItems: 1,
    maxItems: MAX_ITEMS,
  });
  return {
    [one]: exactly({ id, ...fields, ...visibleTimes }, text),
    [`${one}Envelope`]: exactly({ [keys.one]: ref('schemas', one) }),
    [`${one}List`]: exactly({ [keys.many]: listOf(ref('schemas', one)) }),
    [`${one}Changes`]: exactly(
      {
        [keys.many]: {
          ...listOf(ref('schemas', one)),
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
    [`${one}PushResponse`]: pushed(one, 'What a push did.'),
    [`${one}Preview`]: exactly(
      {
        ...unsettled({ id }),
        ...fields,
        ...unsettled(byId),
        ...unsettled(visibleTimes),
      },
      `A ${noun} as a push would leave it. Ids and times that are not settled yet are null.`,
    ),
    [`${one}DryRunResponse`]: pushed(`${one}Preview`, 'What a push would do.'),
    [`${one}Deleted`]: exactly({ [keys.deleted]: id, success: { type: 'boolean', const: true } }),
    [`${one}Input`]: sent(
      full,
      described,
      `A whole ${noun}. What is left out has its default.`,
      true,
    ),
    [`${one}ListInput`]: exactly(
      { [keys.many]: sentItems(`${one}Input`) },
      'Many at once: all are created, or none.',
    ),
    [`${one}Patch`]: sent(
      patch,
      described,
      'The fields to change (RFC 7396). What is left out stays as it is.',
      false,
    ),
    [`${one}PushItem`]: pushItem(described),
    [`${one}PushInput`]: exactly(
      { [keys.many]: sentItems(`${one}PushItem`) },
      `The ${nouns} to create or change.`,
    ),
  };
}

/** One item of a push: a PATCH, and an id by which it may find its resource. */
function pushItem(described: DescribedCollection): Schema {
  const { noun } = described.names;
  const item = sent(
    described.collection.patch,
    described,
    `The fields of a ${noun} to set, the one that \`match\` names among them. If no ${noun} has that value, the fields that a POST needs are required.`,
    false,
  );
  return { ...item, properties: { ...propertiesOf(item), id } };
}

/** An object of exactly these properties, all of them there. */
function exactly(properties: Readonly<Record<string, Schema>>, description?: string): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** The same schema, or null. */
function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'] };
}

/** What a body must be, its fields described. */
function sent(
  schema: z.ZodMiniType,
  described: Described,
  description: string,
  hasDefaults: boolean,
): Schema {
  const json = toJsonSchema(schema);
  return { description, ...json, properties: describedProperties(json, described, hasDefaults) };
}

function sentProfile(
  schema: z.ZodMiniType,
  { brand, connection }: DescribedService,
  description: string,
  hasDefaults: boolean,
): Schema {
  const json = toJsonSchema(schema);
  const properties = propertiesOf(json);
  const half = (name: string, described: Described): Schema => {
    const { [name]: body = {} } = properties;
    return {
      description: described.text,
      ...body,
      properties: describedProperties(body, described, hasDefaults),
    };
  };
  return {
    description,
    ...json,
    properties: {
      ...properties,
      ...readOnly,
      brand: half('brand', brand),
      connection: half('connection', connection),
    },
  };
}

function describedProperties(
  json: Schema,
  { fields }: Described,
  hasDefaults: boolean,
): Record<string, Schema> {
  const properties: Record<string, Schema> = { ...propertiesOf(json), ...readOnly };
  for (const field of fields) {
    properties[field.name] = describedField(properties[field.name] ?? {}, field, hasDefaults);
  }
  return properties;
}

/** What each field is when it is shown: never absent, and without a default. */
function shown({ fields }: Described): Record<string, Schema> {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      describedField(toJsonSchema(withoutDefault(field.schema)), field, false),
    ]),
  );
}

function describedField(
  json: Schema,
  { text, rule, isNullable, derivedDefault, example, schema }: DescribedField,
  hasDefaults: boolean,
): Schema {
  const sentences = [text, rule];
  if (isNullable) sentences.push('It may be null.');
  if (hasDefaults && derivedDefault !== undefined) sentences.push(`Default: ${derivedDefault}`);
  const { anyOf: _, ...rest } = json;
  return {
    ...(isNullable ? { ...rest, ...nullableValue(toJsonSchema(withoutNull(schema))) } : json),
    description: sentences.join(' '),
    examples: [example],
  };
}

/** The rule of a value that may be null: in one schema where it has a type, which is easier to read than two. */
function nullableValue(value: Schema): Schema {
  if (typeof value['type'] !== 'string') return { anyOf: [value, { type: 'null' }] };
  const { enum: values } = value;
  return { ...orNull(value), ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** The rule of one parameter's values. */
export function parameterSchema(field: z.core.$ZodType): Schema {
  return toJsonSchema(withoutNull(field));
}

function toJsonSchema(schema: z.core.$ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

function propertiesOf({ properties }: Schema): Readonly<Record<string, Schema>> {
  if (!isSchemas(properties)) throw new Error('Expected the schema of an object.');
  return properties;
}

/** The schemas with what stands in `$defs` as components of their own. */
function hoisted(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const moved: unknown = JSON.parse(JSON.stringify(schemas), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') {
      return value.replace('#/$defs/', '#/components/schemas/');
    }
    if (key !== '$defs' || !isSchemas(value)) return value;
    for (const [name, { id: _, ...schema }] of Object.entries(value)) found[name] = schema;
    return undefined;
  });
  if (!isSchemas(moved)) throw new Error('Expected schemas.');
  return { ...moved, ...found };
}

function isSchemas(value: unknown): value is Record<string, Schema> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((schema) => typeof schema === 'object' && schema !== null)
  );
}
