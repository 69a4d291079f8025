import type { DescribedCollection } from './described.ts';
import { authenticatedHeaders } from './responses.ts';
import * as examples from './examples.ts';
import { parameterRefs, pathParameter } from './parameters.ts';
import type { Schema, Schemas } from './schema.ts';
import { json, ref } from './schema.ts';

/** An operation of a collection, as the document describes it: its method, its path, and what OpenAPI says of it. */
export interface DescribedOperation extends Schema {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
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

export const etag = { ETag: ref('headers', 'ETag') };

/** The response to a GET whose `If-None-Match` has the entity tag. */
export const notModified = {
  description: 'You already have this representation.',
  headers: { ...authenticatedHeaders, ...etag },
};

/**
 * What is the same for each operation without a body that changes one resource, and answers with it.
 * @param more further errors
 */
export function changeOfOne(described: DescribedCollection, more: Errors = {}): Schema {
  const { one, noun, heading, collection } = described;
  const example = { [collection.keys.one]: examples.resource(described) };
  return {
    tags: [heading],
    parameters: [pathParameter(described), ...parameterRefs('IfMatch', 'IfNoneMatch')],
    responses: {
      200: response(
        `The ${noun} as it is now.`,
        json(ref('schemas', `${one}Envelope`), example),
        etag,
      ),
      ...errors({
        400: 'BadRequest',
        403: 'Forbidden',
        404: `${one}NotFound`,
        412: 'PreconditionFailed',
        ...more,
      }),
    },
  };
}
