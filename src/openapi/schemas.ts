import * as z from 'zod/mini';
import type { Shape } from '../fields/schema.ts';
import { withoutDefault } from '../fields/schema.ts';
import type { Collection } from '../collection/collection.ts';
import { MAX_ITEMS } from '../collection/collection.ts';
import { couponCodes } from '../resources/coupon-codes.ts';
import { products } from '../resources/products.ts';
import { profile } from '../resources/profile.ts';

/** A schema of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type Schema = Record<string, unknown>;

/** A reference to a component. */
export function ref(kind: string, name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` };
}

/** A token of `since`, for examples. */
export const TOKEN = '8f2d1c6e5b0a94d31z';

/** An object of exactly these properties, all of them there. */
export function exactly(properties: Record<string, Schema>, description?: string): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const id: Schema = {
  type: 'string',
  format: 'uuid',
  description: 'A lower-case UUID, made by the service.',
};
const time = (description: string): Schema => ({
  type: 'string',
  format: 'date-time',
  description,
});
const times = {
  createdAt: time('When it was made, in UTC with milliseconds.'),
  updatedAt: time('When it was last really changed, in UTC with milliseconds.'),
};

const problem: Schema = { type: 'string', description: 'What is wrong, and what would be right.' };

const pushResult: Schema = {
  description: 'What became of one item of a push.',
  oneOf: [
    exactly({
      id: {
        ...nullable(id),
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

/** All schemas of the document, made from those that the service checks with. */
export const schemas: Record<string, Schema> = {
  Error: {
    ...exactly({ error: problem }),
    description: 'Every error has this form.',
  },
  PushResult: pushResult,
  Brand: exactly(
    { ...shown(profile().brand.fields), ...times },
    'The brand that the API key belongs to.',
  ),
  Connection: exactly(shown(profile().connection.fields), 'The connection to the store platform.'),
  Profile: exactly({ brand: ref('schemas', 'Brand'), connection: ref('schemas', 'Connection') }),
  ProfileInput: sent(
    profile().full,
    'The whole profile. What is left out goes back to its default.',
  ),
  ProfilePatch: sent(profile().patch, 'The fields to change, in either half or both (RFC 7396).'),
  ...collectionSchemas('Product', products.load()),
  ...collectionSchemas('CouponCode', couponCodes.load()),
};

function collectionSchemas(name: string, collection: Collection): Record<string, Schema> {
  const { keys, fields, shown: columns, full, patch } = collection;
  const visibleTimes = 'createdAt' in columns ? times : {};
  const noun = collection.noun.toLowerCase();
  const many = (item: Schema, description?: string): Schema => ({
    type: 'array',
    ...(description !== undefined && { description }),
    items: item,
  });
  const pushed = (item: string, description: string): Schema => ({
    ...exactly(
      {
        [keys.many]: many(
          ref('schemas', item),
          `The ${noun}s that were not refused, in order. \`Prefer: return=minimal\` omits them.`,
        ),
        results: many(ref('schemas', 'PushResult'), 'One result for each item, in order.'),
      },
      description,
    ),
    required: ['results'],
  });
  return {
    [name]: exactly({ id, ...shown(fields), ...visibleTimes }, `A ${noun} of the brand.`),
    [`${name}Envelope`]: exactly({ [keys.one]: ref('schemas', name) }),
    [`${name}List`]: exactly({ [keys.many]: { type: 'array', items: ref('schemas', name) } }),
    [`${name}Changes`]: exactly(
      {
        [keys.many]: many(
          ref('schemas', name),
          `The ${noun}s that were created or changed, as they are now, in the order of their last change.`,
        ),
        [keys.deletedMany]: many(id, `The ids of the ${noun}s that were deleted.`),
        since: {
          type: 'string',
          description: 'The token to continue from. It is opaque.',
          examples: [TOKEN],
        },
      },
      'What changed since a token was issued.',
    ),
    [`${name}PushResponse`]: pushed(name, 'What a push did.'),
    [`${name}Preview`]: exactly(
      { id: nullable(id), ...shown(fields), ...mapValues(visibleTimes, nullable) },
      `A ${noun} as a push would leave it. Ids and times that are not settled yet are null.`,
    ),
    [`${name}DryRunResponse`]: pushed(`${name}Preview`, 'What a push would do.'),
    [`${name}PushItem`]: pushItem(collection),
    [`${name}PushInput`]: exactly(
      {
        [keys.many]: {
          ...many(ref('schemas', `${name}PushItem`)),
          minItems: 1,
          maxItems: MAX_ITEMS,
        },
      },
      `The ${noun}s to create or change.`,
    ),
    [`${name}Deleted`]: exactly({ [keys.deleted]: id, success: { type: 'boolean', const: true } }),
    [`${name}Input`]: sent(full, `A whole ${noun}. What is left out has its default.`),
    [`${name}ListInput`]: exactly(
      {
        [keys.many]: {
          type: 'array',
          items: ref('schemas', `${name}Input`),
          minItems: 1,
          maxItems: MAX_ITEMS,
        },
      },
      'Many at once: all are made, or none.',
    ),
    [`${name}Patch`]: sent(
      patch,
      'The fields to change (RFC 7396). What is left out stays as it is.',
    ),
  };
}

/** One item of a push: a PATCH, and an id by which it may find its resource. */
function pushItem({ patch, noun }: Collection): Schema {
  const name = noun.toLowerCase();
  const item = sent(
    patch,
    `The fields of a ${name} to set, the one that \`match\` names among them. If no ${name} has that value, the fields that a POST needs are required.`,
  );
  return { ...item, properties: { ...objectOf(item['properties']), id } };
}

/** The same schema, or null. */
function nullable(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'] };
}

function mapValues(
  schemas: Readonly<Record<string, Schema>>,
  change: (schema: Schema) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, change(schema)]),
  );
}

function objectOf(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw new Error('Expected an object.');
  return value;
}

/** What a body must be. */
function sent(schema: z.ZodMiniType, description: string): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return { description, ...json };
}

/** What each field is when it is shown: never absent, and without a default. */
function shown(fields: Shape): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldSchema(withoutDefault(field))]),
  );
}

/** The rule of one field. */
export function fieldSchema(field: z.core.$ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(field);
  return json;
}
