import { authenticatedHeaders } from './headers.ts';
import { parameterRefs } from './parameters.ts';
import type { Schema } from './schema.ts';
import { json, ref } from './schema.ts';

/** Returns the description of a successful response. */
export function response(description: string, content: Schema, headers: Schema = {}): Schema {
  return { description, headers: { ...authenticatedHeaders, ...headers }, content };
}

/** The names of error responses, by status. */
type ErrorNames = Readonly<Record<number, string>>;

/** Returns the errors of an operation, by status: these, and those of every operation. */
export function errors(byStatus: ErrorNames): Record<string, Schema> {
  const all = {
    401: 'Unauthorized',
    403: 'Suspended',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'Unavailable',
    ...byStatus,
  };
  return Object.fromEntries(
    Object.entries(all).map(([status, name]) => [status, ref('responses', name)]),
  );
}

/** The profile, or a resource of a collection. */
interface Item {
  /** Such as `Product`, of which the names of its schemas and operations are made. */
  readonly name: string;
  readonly noun: string;
  readonly article: 'a' | 'the';
  readonly tag: string;
  readonly content: Schema;
  /** Examples of bodies. */
  readonly put: unknown;
  readonly patch: unknown;
  /** The errors of all operations, and of changes. */
  readonly errors?: ErrorNames;
  readonly changeErrors?: ErrorNames | undefined;
}

/** Returns the operations that read, replace and change an item. */
export function itemOperations(item: Item): Schema {
  const { name, noun, article, tag, content } = item;
  const etag = { ETag: ref('headers', 'ETag') };
  const change = (operationId: string, body: string, example: unknown): Schema => ({
    operationId: `${operationId}${name}`,
    tags: [tag],
    parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
    requestBody: { required: true, content: json(ref('schemas', `${name}${body}`), example) },
    responses: {
      200: response(`The ${noun} as it is now.`, content, etag),
      ...errors({
        400: `Invalid${name}`,
        403: 'Forbidden',
        412: 'PreconditionFailed',
        413: 'PayloadTooLarge',
        ...item.errors,
        ...item.changeErrors,
      }),
    },
  });
  return {
    get: {
      operationId: `get${name}`,
      summary: `Read ${article} ${noun}`,
      description: `Reads ${article} ${noun} with its \`ETag\`.`,
      tags: [tag],
      parameters: parameterRefs('IfNoneMatch'),
      responses: {
        200: response(`The ${noun}.`, content, etag),
        304: {
          description: 'You already have this representation.',
          headers: { ...authenticatedHeaders, ...etag },
        },
        ...errors({ 400: 'BadRequest', ...item.errors }),
      },
    },
    put: {
      ...change('replace', 'Input', item.put),
      summary: `Replace ${article} ${noun}`,
      description:
        'Replaces all writable fields; omitted fields are reset to their defaults. Read-only fields are ignored.',
    },
    patch: {
      ...change('update', 'Patch', item.patch),
      summary: `Change fields of ${article} ${noun}`,
      description: 'Changes exactly the fields in the body.',
    },
  };
}
