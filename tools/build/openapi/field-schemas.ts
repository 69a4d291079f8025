import type * as z from 'zod/mini';
import { withoutDefault, withoutNull } from '../../../src/fields/schema.ts';
import type { Described, DescribedField } from './described.ts';
import { toJsonSchema } from './json-schema.ts';
import type { Schema, Schemas } from './schema.ts';
import { orNull, propertiesOf } from './schema.ts';
import { readOnlyFields } from './service-fields.ts';

// The schemas of a resource's fields, in responses and in request bodies.

/** Returns the schema of each field in a response, where it is always present. */
export function shownFields({ fields }: Described): Schemas {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      describedField(toJsonSchema(withoutDefault(field.schema)), field, false),
    ]),
  );
}

/**
 * Returns the schema of a request body, with descriptions of its fields.
 * @param saysDefaults whether the descriptions state the defaults
 */
export function sentFields(
  schema: z.ZodMiniType,
  described: Described,
  description: string,
  saysDefaults: boolean,
): Schema {
  const json = toJsonSchema(schema);
  return { description, ...json, properties: describedFields(json, described, saysDefaults) };
}

/** Returns the properties of a body's schema, with descriptions. */
export function describedFields(
  json: Schema,
  { fields }: Described,
  saysDefaults: boolean,
): Schemas {
  const properties: Record<string, Schema> = { ...propertiesOf(json), ...readOnlyFields };
  for (const field of fields) {
    properties[field.name] = describedField(properties[field.name] ?? {}, field, saysDefaults);
  }
  return properties;
}

function describedField(json: Schema, field: DescribedField, saysDefaults: boolean): Schema {
  const { text, rule, isNullable, example, schema } = field;
  const sentences = [text, rule];
  if (isNullable) sentences.push('It may be null.');
  if (saysDefaults && !field.isRequired) sentences.push(`Default: ${defaultOf(field)}`);
  return {
    ...(isNullable ? orNull(toJsonSchema(withoutNull(schema))) : json),
    description: sentences.join(' '),
    examples: [example],
  };
}

function defaultOf({ derivedDefault, constantDefault }: DescribedField): string {
  return derivedDefault ?? `\`${JSON.stringify(constantDefault)}\`.`;
}
