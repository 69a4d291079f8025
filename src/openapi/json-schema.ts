import * as z from 'zod/mini';
import { withoutNull } from '../fields/schema.ts';
import type { Schema, Schemas } from './schema.ts';
import { isSchemas } from './schema.ts';

// From the schemas that the service validates with to those of the document.

/** What a schema accepts, before defaults are applied. */
export function toJsonSchema(schema: z.core.$ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    // The descriptions say the defaults. Generators take a field with a `default` for one that is always present.
    override: ({ jsonSchema }) => {
      delete jsonSchema.default;
    },
  });
  return json;
}

/** The rule of one parameter's values. */
export function parameterSchema(field: z.core.$ZodType): Schema {
  return toJsonSchema(withoutNull(field));
}

/** The schemas with what stands in `$defs` as components of their own. */
export function hoistDefinitions(schemas: Schemas): Schemas {
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
