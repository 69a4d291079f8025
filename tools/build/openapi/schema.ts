/** A schema of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** Schemas by property name or component name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The text of an error. */
export const problem: Schema = {
  type: 'string',
  description: 'What is wrong, and what is expected.',
};

/** Returns a reference to a component. */
export function ref(kind: string, name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns the schema of an object with exactly these properties, by default all required. */
export function exactly(
  properties: Schemas,
  description?: string,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Returns the schema of a list of these items. */
export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** Returns the schema of the same values or null. If the schema has a type, the result is a single schema. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    type: [type, 'null'],
    ...(isList(values) && { enum: [...values, null] }),
    ...rest,
  };
}

/** Whether a value is an object of schemas. */
export function isSchemas(value: unknown): value is Schemas {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((schema) => typeof schema === 'object' && schema !== null)
  );
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** One of several examples. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** A JSON body with an example. */
export function json(schema: Schema, example: unknown): Schema {
  return { 'application/json': { schema, example } };
}

/** A JSON body with several examples, each with a summary. */
export function jsonOf(schema: Schema, examples: Readonly<Record<string, Example>>): Schema {
  return { 'application/json': { schema, examples } };
}
