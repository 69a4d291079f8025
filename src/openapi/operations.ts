import { authenticatedHeaders } from './headers.ts';
import type { Schema } from './schema.ts';
import { ref } from './schema.ts';
import { json } from './content.ts';

// What the operations of the profile and of collections have in common.

export const etag = { ETag: ref('headers', 'ETag') };

/** The response to a conditional GET of what the client has already. */
export const notModified = {
  description: 'The representation is one that you have.',
  headers: { ...authenticatedHeaders, ...etag },
};

/** A response of success. */
export function response(description: string, content: Schema, headers: Schema = {}): Schema {
  return { description, headers: { ...authenticatedHeaders, ...headers }, content };
}

export function requestBody(schema: Schema, example: unknown): Schema {
  return { required: true, content: json(schema, example) };
}

/** The errors of one operation, by status: these, and those that every operation can give. */
export function errors(byStatus: Readonly<Record<number, string>>): Record<string, Schema> {
  const all = {
    ...byStatus,
    401: 'Unauthorized',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'Unavailable',
  };
  return Object.fromEntries(
    Object.entries(all).map(([status, name]) => [status, ref('responses', name)]),
  );
}

/** The errors that every PUT and PATCH can give besides. */
export const CHANGE_ERRORS = {
  403: 'Forbidden',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
};
