import { KEY_LIMIT, PERIOD, RATE_LIMIT_POLICY } from '../auth/rate-limits.ts';
import { MAX_LIMIT } from '../collection/list-query.ts';
import type { ServiceError } from '../errors.ts';
import {
  AlreadyExists,
  ConflictingKeys,
  IdempotencyKeyReused,
  InvalidJson,
  InvalidKey,
  InvalidRequest,
  MissingKey,
  NotFound,
  PayloadTooLarge,
  PreconditionFailed,
  RateLimited,
  ReadOnlyKey,
  TokenExpired,
  Unavailable,
} from '../errors.ts';
import { LIST_LIMIT, RESOURCE_LIMIT } from '../http/body.ts';
import type { Described, DescribedCollection, DescribedService } from './described.ts';
import { BOOKMARK, TAG } from './examples.ts';
import type { Schema } from './schemas.ts';
import { ref } from './schemas.ts';

/** A header that every response of its kind has. */
function header(description: string, schema: Schema): Schema {
  return { description, required: true, schema: { type: 'string', ...schema } };
}

/** A header that a response of its kind may have. */
function optionalHeader(description: string, schema: Schema): Schema {
  return { description, schema: { type: 'string', ...schema } };
}

/** All response headers of the document, by the name of their component. */
export const headers: Readonly<Record<string, Schema>> = {
  RequestId: header('The id of the request, which the log has too.', {
    examples: ['f48d6e10-3359-481f-835f-99ae184facbf'],
  }),
  CacheControl: header('No cache may keep the response.', { const: 'no-store' }),
  Bookmark: header(
    'How fresh the response is. Send the last one back, and the nearest replica that is at least that fresh may answer.',
    { examples: [BOOKMARK] },
  ),
  RateLimitPolicy: header('How many requests a key has in how many seconds.', {
    examples: [RATE_LIMIT_POLICY],
  }),
  ETag: header(
    'The entity tag of the resource, for If-Match and If-None-Match. It leaves the service as a strong tag; Cloudflare makes it weak (W/) if it compresses the response. Send it back as you received it.',
    { examples: [TAG] },
  ),
  ETagOfOne: optionalHeader(
    'The entity tag of the resource, for If-Match and If-None-Match; absent from a list.',
    { examples: [TAG] },
  ),
  Link: optionalHeader('The next page; absent from the last one (RFC 8288).', {
    examples: ['<https://api.example.com/api/brand/v1/products?limit=50&cursor=…>; rel="next"'],
  }),
  Replayed: optionalHeader(
    'Present if this is the first response to this Idempotency-Key, given again.',
    { const: 'true' },
  ),
  PreferenceApplied: optionalHeader('The preferences of Prefer that were honoured (RFC 7240).', {
    examples: ['return=minimal, handling=lenient'],
  }),
  RetryAfter: header('After how many seconds to try again.', {
    pattern: '^[0-9]+$',
    examples: [String(PERIOD)],
  }),
  Authenticate: header('How to authenticate.', { const: 'Bearer' }),
};

const everywhere = {
  'X-Request-Id': ref('headers', 'RequestId'),
  'Cache-Control': ref('headers', 'CacheControl'),
};

/** The headers of every response to a request whose key was accepted. */
export const authenticatedHeaders = {
  ...everywhere,
  'x-d1-bookmark': ref('headers', 'Bookmark'),
  'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
};

/** They depend on the database, which may have failed before it accepted the key. */
const failureHeaders = {
  ...everywhere,
  'x-d1-bookmark': { ...headers['Bookmark'], required: false },
  'RateLimit-Policy': { ...headers['RateLimitPolicy'], required: false },
};

const badHeader = new InvalidRequest([
  { path: 'If-None-Match', message: 'expected * or a list of quoted entity tags' },
]);

/** The error responses that do not depend on a resource, by the name of their component. */
const sharedErrors: Readonly<Record<string, Schema>> = {
  BadRequest: errorResponse('A header breaks a rule. The text names every problem.', {
    header: badHeader,
  }),
  BadList: errorResponse('A parameter or a header breaks a rule. The text names every problem.', {
    parameters: new InvalidRequest([
      { path: 'limit', message: `expected a whole number from 1 to ${MAX_LIMIT}` },
      { path: 'colour', message: 'unknown parameter' },
    ]),
  }),
  Unauthorized: errorResponse(
    'The API key is missing, or there are two different ones, or it is malformed, unknown, revoked or expired.',
    {
      missing: new MissingKey(),
      conflicting: new ConflictingKeys(),
      invalid: new InvalidKey(),
    },
    { ...everywhere, 'WWW-Authenticate': ref('headers', 'Authenticate') },
  ),
  Forbidden: errorResponse('A read-only key on a write.', { readOnly: new ReadOnlyKey() }),
  TokenExpired: errorResponse(
    'The token of `since` is older than the deletions still known, or the operator has reset the tokens.',
    { expired: new TokenExpired() },
  ),
  PreconditionFailed: errorResponse(
    'The resource is not as If-Match or If-None-Match says. Nothing was changed.',
    { failed: new PreconditionFailed() },
  ),
  PayloadTooLarge: errorResponse('The body is larger than the limit.', {
    resource: new PayloadTooLarge(RESOURCE_LIMIT),
  }),
  ListTooLarge: errorResponse('The body is larger than the limit.', {
    resource: new PayloadTooLarge(RESOURCE_LIMIT),
    list: new PayloadTooLarge(LIST_LIMIT),
  }),
  IdempotencyKeyReused: errorResponse('The Idempotency-Key was used with another request.', {
    reused: new IdempotencyKeyReused(),
  }),
  TooManyRequests: errorResponse(
    'Too many requests with this key, or too many without a valid one from this address.',
    { key: new RateLimited('requests per API key', KEY_LIMIT, PERIOD) },
    { ...everywhere, 'Retry-After': ref('headers', 'RetryAfter') },
  ),
  InternalError: {
    description: 'A bug of the service. Its log has the details, under the id of the request.',
    headers: failureHeaders,
    content: json(ref('schemas', 'Error'), { error: 'Internal server error.' }),
  },
  Unavailable: errorResponse(
    'The database is overloaded, resetting or unreachable. Try again after the time given.',
    { unavailable: new Unavailable() },
    { ...failureHeaders, 'Retry-After': ref('headers', 'RetryAfter') },
  ),
};

/** The error responses, by the name of their component. */
export function errorResponses({ brand, collections }: DescribedService): Record<string, Schema> {
  return {
    ...sharedErrors,
    InvalidProfile: invalidBody('brand.', brand),
    ...Object.fromEntries(collections.flatMap((described) => Object.entries(errorsOf(described)))),
  };
}

function errorsOf(described: DescribedCollection): Record<string, Schema> {
  const { collection, names, fields } = described;
  const { unique, noun } = collection;
  const example = fields.find(({ name }) => name === unique?.field)?.example;
  return {
    [`Invalid${names.one}`]: invalidBody('', described),
    [`${names.one}NotFound`]: errorResponse(`The brand has no ${names.noun} with this id.`, {
      unknown: new NotFound(noun),
    }),
    ...(unique && {
      [`${names.one}Exists`]: errorResponse(
        `The brand has a ${names.noun} with this ${unique.field} already, whatever its case.`,
        { taken: new AlreadyExists(noun, String(example)) },
      ),
    }),
  };
}

/** @param path where in the body the fields are */
function invalidBody(path: string, { fields }: Described): Schema {
  const required = fields.filter(({ isRequired }) => isRequired);
  return errorResponse(
    'The body is not JSON, or the body, a parameter or a header breaks a rule. The text names every problem.',
    {
      syntax: new InvalidJson(),
      fields: new InvalidRequest([
        ...required.map(({ name }) => ({ path: `${path}${name}`, message: 'required' })),
        { path: `${path}colour`, message: 'unknown field' },
      ]),
    },
  );
}

/** A JSON body with an example. */
export function json(schema: Schema, example: unknown): Schema {
  return { 'application/json': { schema, example } };
}

/** A JSON body with several examples, each with a summary. */
export function jsonOf(
  schema: Schema,
  examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>,
): Schema {
  return { 'application/json': { schema, examples } };
}

function errorResponse(
  description: string,
  errors: Readonly<Record<string, ServiceError>>,
  headers: Schema = authenticatedHeaders,
): Schema {
  const examples = Object.entries(errors).map(([name, { message }]) => [
    name,
    { summary: message, value: { error: message } },
  ]);
  return {
    description,
    headers,
    content: jsonOf(ref('schemas', 'Error'), Object.fromEntries(examples)),
  };
}
