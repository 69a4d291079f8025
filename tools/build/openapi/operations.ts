import { authenticatedHeaders } from './headers.ts';
import type { Schema } from './schema.ts';
import { ref } from './schema.ts';
import { json } from './content.ts';

// Parts that the operations of the profile and of collections share.

export const etag = { ETag: ref('headers', 'ETag') };

/** The response to a conditional GET if the client already has the representation. */
export const notModified = {
  description: 'You already have this representation.',
  headers: { ...authenticatedHeaders, ...etag },
};

/** Returns the description of a successful response. */
export function response(description: string, content: Schema, headers: Schema = {}): Schema {
  return { description, headers: { ...authenticatedHeaders, ...headers }, content };
}

export function requestBody(schema: Schema, example: unknown): Schema {
  return { required: true, content: json(schema, example) };
}

/** Returns the errors of an operation, by status: these, and those of every operation. */
export function errors(byStatus: Readonly<Record<number, string>>): Record<string, Schema> {
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

/** The additional errors of every PUT and PATCH. */
export const CHANGE_ERRORS = {
  403: 'Forbidden',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
};
