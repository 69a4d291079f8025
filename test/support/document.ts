import * as z from 'zod';
import json from '../../public/api/brand/v1/openapi.json' with { type: 'json' };

const record = z.record(z.string(), z.unknown());

/** The parts of an OpenAPI document that the tests read. */
export const documentSchema = z.looseObject({
  paths: z.record(z.string(), record),
  components: z.record(z.string(), record),
});

/** The OpenAPI document in the repository. A test checks that the code generates the same one. */
export const document = documentSchema.parse(json);

const operationSchema = z.object({
  parameters: z.array(z.looseObject({ $ref: z.optional(z.string()) })),
  requestBody: z.optional(z.unknown()),
  responses: record,
});

/** What a document says of an operation. */
export interface DocumentedOperation {
  /** Such as `GET`. */
  readonly method: string;
  /** Such as `/products/{productId}`. */
  readonly path: string;
  readonly hasBody: boolean;
  /** Of success. A POST that may create something answers 201. */
  readonly status: 200 | 201;
}

export function operationsOfDocument(source: object): DocumentedOperation[] {
  return Object.entries(documentSchema.parse(source).paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([name]) => name !== 'parameters')
      .map(([method, operation]) => {
        const { requestBody, responses } = operationSchema.parse(operation);
        return {
          method: method.toUpperCase(),
          path,
          hasBody: requestBody !== undefined,
          status: 201 in responses ? 201 : 200,
        };
      }),
  );
}

/** The names of the operations of a document, such as `GET /products/{productId}`. */
export function operationsIn(source: object): string[] {
  return operationsOfDocument(source).map(({ method, path }) => `${method} ${path}`);
}

export const documentedOperations = operationsIn(document);

/** Its operations but for those that only one collection has: neither the client nor `brand-admin verify` needs these. */
export const sharedOperations = documentedOperations.filter(
  (operation) =>
    operation.endsWith(' /profile') ||
    documentedOperations.filter((other) => formOf(other) === formOf(operation)).length > 1,
);

/** What an operation has in common with that of another collection. */
function formOf(operation: string): string {
  return operation.replace(/ \/[\w-]+/, ' ').replace(/\{.*?\}/, '{id}');
}

const parameterSchema = z.object({ in: z.string(), name: z.string() });

/**
 * The names of the headers of an operation of a document, in alphabetical order.
 * @param operation such as `GET /products/{productId}`
 */
export function headersOf(source: object, operation: string): string[] {
  const { paths, components } = documentSchema.parse(source);
  const [method = '', path = ''] = operation.split(' ');
  const { parameters } = operationSchema.parse(paths[path]?.[method.toLowerCase()]);
  // Headers are shared by operations, so they are references; parameters of the query are not.
  return parameters
    .flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
    .map((key) => parameterSchema.parse(components['parameters']?.[key]))
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => name)
    .sort();
}
