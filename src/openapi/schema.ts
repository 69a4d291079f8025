/** A schema of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** Schemas by the name of a property or of a component. */
export type Schemas = Readonly<Record<string, Schema>>;

/** A reference to a component. */
export function ref(kind: string, name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` };
}

/** An object of exactly these properties, all of them present. */
export function exactly(properties: Schemas, description?: string): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** A list of such items. */
export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** The same schema, or null. In one schema if it has a type, which is easier to read than two. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    type: [type, 'null'],
    ...(isList(values) && { enum: [...values, null] }),
    ...rest,
  };
}

/**
 * The properties of an object's schema.
 * @throws Error if it is the schema of something else
 */
export function propertiesOf({ properties }: Schema): Schemas {
  if (!isSchemas(properties)) throw new Error('Expected the schema of an object.');
  return properties;
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
