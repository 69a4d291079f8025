/** A schema of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** Schemas by property name or component name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** Returns the schemas of several objects in one. */
export function merged(all: readonly Schemas[]): Schemas {
  return Object.fromEntries(all.flatMap((schemas) => Object.entries(schemas)));
}

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

/** Returns the schema of the same values or null. If the schema has a type, the result is a single schema. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    type: [type, 'null'],
    ...(values !== undefined && { enum: [values, null].flat() }),
    ...rest,
  };
}

/** A JSON body with an example. */
export function json(schema: Schema, example: unknown): Schema {
  return { 'application/json': { schema, example } };
}

/** A JSON body with several examples by name. */
export function jsonOf(
  schema: Schema,
  examples: Readonly<Record<string, readonly [summary: string, value: unknown]>>,
): Schema {
  const named = Object.entries(examples).map(([name, [summary, value]]): [string, Schema] => [
    name,
    { summary, value },
  ]);
  return { 'application/json': { schema, examples: Object.fromEntries(named) } };
}
