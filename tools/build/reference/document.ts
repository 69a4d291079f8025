import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const text = z.string().default('');

const schema = z.object({
  /** The name of the component; empty if it is none. */
  title: text,
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]).default([]),
  format: text,
  description: text,
  examples: z.array(z.unknown()).default([]),
  enum: z.array(z.unknown()).optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  readOnly: z.boolean().default(false),
  required: z.array(z.string()).default([]),
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).default({});
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
  required: z.boolean().default(false),
  schema,
  example: z.unknown(),
});

// The examples are a list, however the document gives them. A single one has no summary.
const content = z
  .object({
    'application/json': z.object({
      schema,
      example: z.unknown().optional(),
      examples: z
        .record(z.string(), z.object({ summary: z.string(), value: z.unknown() }))
        .default({}),
    }),
  })
  .transform(({ 'application/json': { schema, example, examples } }) => ({
    schema,
    examples:
      example === undefined ? Object.values(examples) : [{ summary: undefined, value: example }],
  }));

const response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.object({ description: z.string(), schema })).default({}),
  content: content.optional(),
});

const operation = z
  .object({
    operationId: z.string(),
    summary: z.string(),
    description: z.string(),
    tags: z.tuple([z.string()]),
    parameters: z.array(parameter),
    requestBody: z.object({ content }).optional(),
    responses: z.record(z.string(), response),
  })
  .transform(({ operationId, tags: [tag], requestBody, responses, ...rest }) => {
    const answers = Object.entries(responses).map(([status, one]) => ({ ...one, status }));
    return {
      ...rest,
      id: operationId,
      tag,
      body: requestBody?.content,
      successes: answers.filter(({ status }) => status < '400'),
      errors: answers.filter(({ status }) => status >= '400'),
    };
  });

const path = z.object({ parameters: z.array(parameter).default([]) }).catchall(operation);

const documentSchema = z
  .object({
    info: z.object({ title: z.string(), version: z.string(), summary: z.string() }),
    servers: z.tuple([z.object({ url: z.string() })]),
    tags: z.array(z.object({ name: z.string(), description: z.string() })),
    paths: z.record(z.string(), path),
  })
  .transform(({ servers: [{ url }], paths, ...document }) => {
    const operations = Object.entries(paths).flatMap(([path, { parameters: shared, ...methods }]) =>
      Object.entries(methods).map(([method, { parameters, ...operation }]) => {
        return { ...operation, method, path: url + path, parameters: [...shared, ...parameters] };
      }),
    );
    const isCommon = ({ name }: Parameter): boolean =>
      operations.every(({ parameters }) => parameters.some((one) => one.name === name));
    return {
      ...document,
      url,
      common: operations[0]?.parameters.filter(isCommon) ?? [],
      /** In the order of the document, with whole paths and their own parameters. */
      operations: operations.map((one) => ({
        ...one,
        parameters: one.parameters.filter((parameter) => !isCommon(parameter)),
      })),
    };
  });

export type Schema = z.infer<typeof schema>;
export type Parameter = z.infer<typeof parameter>;
/** What the page needs of the OpenAPI document. */
export type Document = z.infer<typeof documentSchema>;
export type Operation = Document['operations'][number];

/**
 * Reads the OpenAPI document, with references replaced by what they name.
 * @throws ZodError if it has not what the page needs
 */
export async function readDocument(file: string): Promise<Document> {
  const root: unknown = JSON.parse(await readFile(file, 'utf8'));
  return documentSchema.parse(withoutReferences(root, root));
}

const reference = z.looseObject({ $ref: z.string() });
const node = z.record(z.string(), z.unknown());

/** What stands beside a reference takes precedence. A component keeps its name as its title. */
function withoutReferences(part: unknown, root: unknown): unknown {
  return JSON.parse(JSON.stringify(part), (_, value: unknown) => {
    const { $ref, ...beside } = reference.safeParse(value).data ?? {};
    if ($ref === undefined) return value;
    const keys = $ref.split('/').slice(1);
    const component = keys.reduce((found, key) => node.parse(found)[key], root);
    return { ...node.parse(withoutReferences(component, root)), ...beside, title: keys.at(-1) };
  });
}

/** The schemas of which a value has one. */
export function formsOf(schema: Schema): readonly Schema[] {
  const forms = schema.anyOf ?? schema.oneOf;
  return forms?.flatMap(formsOf) ?? [schema];
}

/** The type of a value in words, such as `string or null`. */
export function typeLabel(schema: Schema): string {
  const labels = formsOf(schema).flatMap(({ type, format, items }) =>
    type.map((one) => {
      if (one === 'array' && items) return `array of ${typeLabel(items)}s`;
      return one === 'string' ? format || one : one;
    }),
  );
  return [...new Set(labels)].join(' or ');
}
