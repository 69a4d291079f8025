import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  readOnly: z.boolean().optional(),
  required: z.array(z.string()).optional(),
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
});

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  description: z.string(),
  required: z.boolean().optional(),
  schema,
  example: z.unknown(),
});

const content = z.object({
  'application/json': z.object({
    schema,
    example: z.unknown().optional(),
    examples: z
      .record(z.string(), z.object({ summary: z.string(), value: z.unknown() }))
      .optional(),
  }),
});

const header = z.object({ description: z.string(), schema });

const response = z.object({
  description: z.string(),
  headers: z.record(z.string(), header).default({}),
  content: content.optional(),
});

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.tuple([z.string()]),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), response),
});

const path = z.object({
  parameters: z.array(parameter).default([]),
  get: operation.optional(),
  post: operation.optional(),
  put: operation.optional(),
  patch: operation.optional(),
  delete: operation.optional(),
});

const documentSchema = z.object({
  info: z.object({ title: z.string(), version: z.string(), summary: z.string() }),
  servers: z.tuple([z.object({ url: z.string() })]),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), path),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

/** The schema of a value. A reference to another schema is followed by `schemaOf`. */
export type Schema = z.infer<typeof schema>;
/** A parameter of an operation. */
export type Parameter = z.infer<typeof parameter>;
/** The content of a request or a response. */
export type Content = z.infer<typeof content>['application/json'];
/** One of an operation's responses. */
export type Response = z.infer<typeof response>;
/** What the page needs of the OpenAPI document. */
export type Document = z.infer<typeof documentSchema>;

/**
 * Reads the OpenAPI document, with references to anything but schemas replaced by what they name.
 * @throws ZodError if it has not what the page needs
 */
export async function readDocument(file: string): Promise<Document> {
  const json: unknown = JSON.parse(await readFile(file, 'utf8'));
  return documentSchema.parse(withoutReferences(json, json));
}

function withoutReferences(value: unknown, root: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, root));
  if (typeof value !== 'object' || value === null) return value;
  const target: unknown = Reflect.get(value, '$ref');
  if (typeof target === 'string' && !target.startsWith('#/components/schemas/')) {
    return withoutReferences(named(target, root), root);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutReferences(item, root)]),
  );
}

/** What a reference such as `#/components/headers/ETag` names. */
function named(reference: string, root: unknown): unknown {
  let found = root;
  for (const key of reference.split('/').slice(1)) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }
  return found;
}

/** A schema, or the one that it refers to. What stands beside a reference takes precedence. */
export function schemaOf({ components }: Document, schema: Schema): Schema {
  const name = nameOf(schema);
  if (name === undefined) return schema;
  return { ...components.schemas[name], ...schema };
}

/** The schemas of which a value has one. */
export function formsOf(document: Document, schema: Schema): readonly Schema[] {
  const form = schemaOf(document, schema);
  const forms = form.anyOf ?? form.oneOf;
  return forms?.flatMap((one) => formsOf(document, one)) ?? [form];
}

/** The name of the schema that a reference leads to; undefined if it is none. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

/** The type of a value in words, such as `string or null`. */
export function typeLabel(document: Document, schema: Schema): string {
  const { type = [], format, items, anyOf, oneOf } = schemaOf(document, schema);
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((one) => typeLabel(document, one)))].join(' or ');
  return [type]
    .flat()
    .map((one) => {
      if (one === 'array' && items) return `array of ${typeLabel(document, items)}s`;
      return one === 'string' && format !== undefined ? (FORMATS[format] ?? one) : one;
    })
    .join(' or ');
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  uuid: 'UUID',
  email: 'e-mail',
  hostname: 'host name',
};
