import * as z from 'zod/mini';
import { jsonSchemas } from '../../../src/fields/expected.ts';
import { withoutDefault, withoutNull } from '../../../src/fields/schema.ts';
import type { Described, DescribedField } from './described.ts';
import type { Schema, Schemas } from './schema.ts';
import { orNull } from './schema.ts';

// The schemas of a resource's fields, in responses and in request bodies.

/** The id of a resource. Only the service assigns it, and the times. */
export const id: Schema = {
  type: 'string',
  format: 'uuid',
  description: 'A lower-case UUID, assigned by the service.',
};

export function time(description: string): Schema {
  return { type: 'string', format: 'date-time', description };
}

/** The times of creation and change. */
export const times: Schemas = {
  createdAt: time('When it was created, in UTC with milliseconds.'),
  updatedAt: time('When it last changed, in UTC with milliseconds.'),
};

/** The same fields in a request body. */
export const readOnlyFields: Schemas = Object.fromEntries(
  Object.entries({ id, ...times }).map(([name, { description }]) => [
    name,
    {
      readOnly: true,
      description: `${String(description)} It is ignored in a request, so that the response of a GET can be sent back.`,
    },
  ]),
);

/**
 * Returns the schema of each field that a client sets.
 * @param saysDefaults whether the descriptions state the defaults. Generators treat a field with a `default` as always present
 */
export function fieldSchemas({ fields }: Described, saysDefaults = false): Schemas {
  return Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, saysDefaults)]));
}

function fieldSchema(field: DescribedField, saysDefaults: boolean): Schema {
  const { schema, text, rule, example, isRequired, derivedDefault } = field;
  const isNullable = withoutDefault(schema) instanceof z.ZodMiniNullable;
  const sentences = [text, rule];
  if (isNullable) sentences.push('It may be null.');
  if (saysDefaults && !isRequired) {
    const constant = schema instanceof z.ZodMiniDefault ? schema.def.defaultValue : undefined;
    sentences.push(`Default: ${derivedDefault ?? `\`${JSON.stringify(constant)}\`.`}`);
  }
  const json = valueSchema(schema);
  return {
    ...(isNullable ? orNull(json) : json),
    description: sentences.join(' '),
    examples: [example],
  };
}

const OPTIONS = { metadata: jsonSchemas, io: 'input' } as const;

/** Returns the schema of a field's values other than null. It may refer to the components of `namedSchemas`. */
export function valueSchema(field: z.core.$ZodType): Schema {
  const { $schema: _, $defs: __, ...schema } = z.toJSONSchema(withoutNull(field), OPTIONS);
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return z.parse(z.record(z.string(), z.unknown()), JSON.parse(text));
}

/** Returns the schemas that are registered under a name. */
export function namedSchemas(): Schemas {
  const { schemas } = z.toJSONSchema(jsonSchemas, OPTIONS);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, ...schema }]) => [name, schema]),
  );
}
