import * as z from 'zod/mini';
import { shapes } from '../../../src/fields/expected.ts';
import { withoutNull } from '../../../src/fields/schema.ts';
import type { Schema, Schemas } from './schema.ts';
import { isSchemas } from './schema.ts';

// Converts the validation schemas of the service into schemas of the document.

/** Returns the JSON Schema of a schema's input, before defaults are applied. */
export function toJsonSchema(schema: z.core.$ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    metadata: shapes,
    io: 'input',
    // The descriptions state the defaults. Generators treat a field with a `default` as always present.
    override: ({ jsonSchema }) => {
      delete jsonSchema.default;
    },
  });
  return json;
}

/** Returns the schema of a parameter's values. A component that it names is one of the resource, too. */
export function parameterSchema(field: z.core.$ZodType): Schema {
  const { parameter = {} } = hoistDefinitions({ parameter: toJsonSchema(withoutNull(field)) });
  return parameter;
}

/** Moves the schemas in `$defs` into separate components. */
export function hoistDefinitions(all: Schemas): Schemas {
  const { schemas, definitions } = withoutDefinitions(all, '#/components/schemas/');
  return { ...schemas, ...definitions };
}

/**
 * Takes the definitions out of schemas.
 * @param place where the references find them then
 */
export function withoutDefinitions(
  schemas: Schemas,
  place = '#/$defs/',
): { readonly schemas: Schemas; readonly definitions: Schemas } {
  const definitions: Record<string, Schema> = {};
  const moved: unknown = JSON.parse(JSON.stringify(schemas), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') return value.replace('#/$defs/', place);
    if (key !== '$defs' || !isSchemas(value)) return value;
    for (const [name, { id: _, ...schema }] of Object.entries(value)) definitions[name] = schema;
    return undefined;
  });
  if (!isSchemas(moved)) throw new Error('Expected schemas.');
  return { schemas: moved, definitions };
}
