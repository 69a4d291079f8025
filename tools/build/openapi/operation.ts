import type { DescribedCollection } from './described.ts';
import { authenticatedHeaders } from './responses.ts';
import * as examples from './examples.ts';
import { parameterRefs, pathParameter } from './parameters.ts';
import type { Schema, Schemas } from './schema.ts';
import { json, ref } from './schema.ts';

/** An operation, as the document describes it: its method, its path, and what OpenAPI says of it. */
export interface DescribedOperation extends Schema {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Schemas;
}

/** Describes an operation of a collection. */
export type DescribeOperation = (of: DescribedCollection) => DescribedOperation;

/** What collections have besides the operations of every collection, by the path of the collection. */
export type OwnOperations = Readonly<Record<string, readonly DescribeOperation[]>>;

/** Returns operations as the paths of a document. */
export function pathsOf(operations: readonly DescribedOperation[]): Schemas {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, ...operation } of operations) {
    paths[path] = { ...paths[path], [method]: operation };
  }
  return paths;
}

/** A response with a body. */
export function response(description: string, content: Schema, headers: Schema = {}): Schema {
  return { description, headers: { ...authenticatedHeaders, ...headers }, content };
}

/** Error responses by status: the names of those that several operations share, or a response. */
export type Errors = Readonly<Record<number, string | Schema>>;

/** Returns the errors of an operation, by status: these, and those of every operation. */
export function errors(byStatus: Errors): Schemas {
  const all: Errors = {
    401: 'Unauthorized',
    403: 'Suspended',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'Unavailable',
    ...byStatus,
  };
  return Object.fromEntries(
    Object.entries(all).map(([status, error]) => [
      status,
      typeof error === 'string' ? ref('responses', error) : error,
    ]),
  );
}

const etag = { ETag: ref('headers', 'ETag') };

/** The response to a GET whose `If-None-Match` has the entity tag. */
const notModified = {
  description: 'You already have this representation.',
  headers: { ...authenticatedHeaders, ...etag },
};

/** The profile, or a resource of a collection. */
export interface Item {
  readonly path: string;
  /** Such as `Product`, of which the names of its schemas and operations are made. */
  readonly name: string;
  readonly noun: string;
  readonly article: 'a' | 'the';
  readonly tag: string;
  /** The id in its path, if it has one. */
  readonly parameters: readonly Schema[];
  /** It in a response, with an example. */
  readonly content: Schema;
  /** The errors of all its operations, and of a change by a body. */
  readonly errors?: Errors;
  readonly bodyErrors?: Errors;
}

/**
 * A resource of a collection.
 * @param changed fields whose values in the example differ from those of the other examples, such as `{ active: false }`
 */
export function itemOf(described: DescribedCollection, changed: Schema = {}): Item {
  const { one, noun, heading, collection } = described;
  const { path, idParameter, keys, unique } = collection;
  const example = { [keys.one]: { ...examples.resource(described), ...changed } };
  return {
    path: `/${path}/{${idParameter}}`,
    name: one,
    noun,
    article: 'a',
    tag: heading,
    parameters: [pathParameter(described)],
    content: json(ref('schemas', `${one}Envelope`), example),
    errors: { 404: `${one}NotFound` },
    ...(unique && { bodyErrors: { 409: `${one}Exists` } }),
  };
}

/** The GET of an item. */
export function readOf(item: Item): DescribedOperation {
  const { path, name, noun, article, tag } = item;
  return {
    method: 'get',
    path,
    operationId: `get${name}`,
    summary: `Read ${article} ${noun}`,
    description: `Reads ${article} ${noun} with its \`ETag\`.`,
    tags: [tag],
    parameters: [...item.parameters, ...parameterRefs('IfNoneMatch')],
    responses: {
      200: response(`The ${noun}.`, item.content, etag),
      304: notModified,
      ...errors({ 400: 'BadRequest', ...item.errors }),
    },
  };
}

/**
 * What is the same for each change of an item without a body. By default it answers with the item.
 * @param more further errors
 */
export function changeOf(
  item: Item,
  { answer, errors: more }: { readonly answer?: Schema; readonly errors?: Errors } = {},
): Schema & Pick<DescribedOperation, 'path' | 'responses'> {
  const { path, noun, tag } = item;
  return {
    path,
    tags: [tag],
    parameters: [...item.parameters, ...parameterRefs('IfMatch', 'IfNoneMatch')],
    responses: {
      200: answer ?? response(`The ${noun} as it is now.`, item.content, etag),
      ...errors({
        400: 'BadRequest',
        403: 'Forbidden',
        412: 'PreconditionFailed',
        ...item.errors,
        ...more,
      }),
    },
  };
}

/**
 * The same for a change by a body.
 * @param end that of the name of the body's schema
 */
export function changeByBody(
  item: Item,
  end: 'Input' | 'Replacement' | 'Patch',
  example: unknown,
): Schema & Pick<DescribedOperation, 'path' | 'responses'> {
  const { name, bodyErrors } = item;
  return {
    ...changeOf(item, {
      errors: { 400: `Invalid${name}`, 413: 'PayloadTooLarge', ...bodyErrors },
    }),
    requestBody: { required: true, content: json(ref('schemas', `${name}${end}`), example) },
  };
}
