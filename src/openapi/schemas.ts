import * as z from 'zod/mini';
import type { Shape } from '../fields/schema.ts';
import { withoutDefault } from '../fields/schema.ts';
import type { Collection } from '../collection/collection.ts';
import { couponCodes } from '../resources/coupon-codes.ts';
import { products } from '../resources/products.ts';
import { profile } from '../resources/profile.ts';

/** A schema of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type Schema = Record<string, unknown>;

/** A reference to a component. */
export function ref(kind: string, name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` };
}

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

/** All schemas of the document, made from those that the service checks with. */
export const schemas: Record<string, Schema> = {
  Error: {
    ...exactly({
      error: { type: 'string', description: 'What is wrong, and what would be right.' },
    }),
    description: 'Every error has this form.',
  },
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
  return {
    [name]: exactly({ id, ...shown(fields), ...visibleTimes }, `A ${noun} of the brand.`),
    [`${name}Envelope`]: exactly({ [keys.one]: ref('schemas', name) }),
    [`${name}List`]: exactly({ [keys.many]: { type: 'array', items: ref('schemas', name) } }),
    [`${name}Deleted`]: exactly({ [keys.deleted]: id, success: { type: 'boolean', const: true } }),
    [`${name}Input`]: sent(full, `A whole ${noun}. What is left out has its default.`),
    [`${name}ListInput`]: exactly(
      {
        [keys.many]: {
          type: 'array',
          items: ref('schemas', `${name}Input`),
          minItems: 1,
          maxItems: 500,
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
