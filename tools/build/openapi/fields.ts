import * as z from 'zod/mini';
import { jsonSchemas } from '../../../src/fields/expected.ts';
import { withoutNull } from '../../../src/fields/schema.ts';
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
 * @param ifOmitted says what an optional field is if it is left out
 */
export function fieldSchemas(
  { fields }: Described,
  ifOmitted: (field: DescribedField) => string = () => '',
): Schemas {
  return Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, ifOmitted)]));
}

/** Says what a field is if a POST leaves it out. In words, because generators treat a `default` as always present. */
export function defaultText({ constantDefault, derivedDefault }: DescribedField): string {
  return `Default: ${derivedDefault ?? `\`${JSON.stringify(constantDefault)}\`.`}`;
}

/** Says the same of a PUT, besides the default: readers of the reference see it once for both. */
export function replacementText(field: DescribedField): string {
  const { isReset, inPut = 'A PUT that leaves it out keeps it.' } = field;
  return isReset ? defaultText(field) : `${defaultText(field)} ${inPut}`;
}

function fieldSchema(field: DescribedField, ifOmitted: (field: DescribedField) => string): Schema {
  const { schema, text, rule, example, isRequired } = field;
  const isNullable = schema instanceof z.ZodMiniNullable;
  const sentences = [text, rule, isNullable ? 'It may be null.' : ''];
  if (!isRequired) sentences.push(ifOmitted(field));
  const json = valueSchema(schema);
  return {
    ...(isNullable ? orNull(json) : json),
    description: sentences.filter(Boolean).join(' '),
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
