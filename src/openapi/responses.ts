import { KEY_LIMIT, PERIOD, RATE_LIMIT_POLICY } from '../auth/rate-limits.ts';
import type { ServiceError } from '../errors.ts';
import {
  AlreadyExists,
  IdempotencyKeyReused,
  InvalidKey,
  InvalidRequest,
  NotFound,
  PayloadTooLarge,
  PreconditionFailed,
  RateLimited,
  ReadOnlyKey,
  TokenExpired,
  Unavailable,
} from '../errors.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import type { Schema } from './schemas.ts';
import { ref } from './schemas.ts';

function header(description: string, schema: Schema): Schema {
  return { description, schema };
}

function text(example: string): Schema {
  return { type: 'string', examples: [example] };
}

/** All response headers of the document, by the name of their component. */
export const headers: Record<string, Schema> = {
  RequestId: header(
    'The id of the request, which the log has too.',
    text('f48d6e10-3359-481f-835f-99ae184facbf'),
  ),
  CacheControl: header('No answer is to be kept on the way.', {
    type: 'string',
    const: 'no-store',
  }),
  Bookmark: header(
    'How fresh the answer is. Send the last one back, and the nearest replica that is at least as fresh may answer.',
    text('00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'),
  ),
  RateLimitPolicy: header(
    'How many requests a key has in how many seconds.',
    text(RATE_LIMIT_POLICY),
  ),
  ETag: header(
    'The entity tag of the resource, for If-Match and If-None-Match. It leaves the service as a strong tag; Cloudflare makes it weak (W/) where it compresses the response. Send it back as you received it.',
    text('"01941f29-7c00-7000-8000-000000000001"'),
  ),
  Link: header(
    'The next page, where there is one (RFC 8288).',
    text('<https://api.example.com/api/brand/v1/products?limit=50&cursor=…>; rel="next"'),
  ),
  Replayed: header('There where the first answer to this Idempotency-Key is given again.', {
    type: 'string',
    const: 'true',
  }),
  PreferenceApplied: header('The preferences of Prefer that were honoured (RFC 7240).', {
    type: 'string',
    examples: ['return=minimal, handling=lenient'],
  }),
  RetryAfter: header('After how many seconds to try again.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  Authenticate: header('How to authenticate.', { type: 'string', const: 'Bearer' }),
};

const everywhere = {
  'X-Request-Id': ref('headers', 'RequestId'),
  'Cache-Control': ref('headers', 'CacheControl'),
};

/** The headers of every answer to a request whose key was accepted. */
export const authenticatedHeaders = {
  ...everywhere,
  'x-d1-bookmark': ref('headers', 'Bookmark'),
  'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
};

/** The error answers, by the name of their component. */
export const errorResponses: Record<string, Schema> = {
  BadRequest: errorResponse(
    'The body is not JSON, or the body, a parameter or a header breaks a rule. The text names every problem.',
    new InvalidRequest([
      { path: 'priceCents', message: 'expected an integer from 0 to 9,999,999,999' },
      { path: 'title', message: 'required' },
    ]),
    authenticatedHeaders,
  ),
  Unauthorized: errorResponse(
    'The API key is missing, or there are two different ones, or it is malformed, unknown, revoked or expired.',
    new InvalidKey(),
    { ...everywhere, 'WWW-Authenticate': ref('headers', 'Authenticate') },
  ),
  Forbidden: errorResponse('A read-only key on a write.', new ReadOnlyKey(), authenticatedHeaders),
  ProductNotFound: errorResponse(
    'The brand has no product with this id.',
    new NotFound('Product'),
    authenticatedHeaders,
  ),
  CouponCodeNotFound: errorResponse(
    'The brand has no coupon code with this id.',
    new NotFound('Coupon code'),
    authenticatedHeaders,
  ),
  Conflict: errorResponse(
    'The brand has a coupon code of this text already, whatever its case.',
    new AlreadyExists('Coupon code', 'SAVE10'),
    authenticatedHeaders,
  ),
  TokenExpired: errorResponse(
    'The token of `since` is older than the deletions still known, or the operator has reset the tokens.',
    new TokenExpired(),
    authenticatedHeaders,
  ),
  PreconditionFailed: errorResponse(
    'The resource is not as If-Match or If-None-Match says; nothing was changed.',
    new PreconditionFailed(),
    authenticatedHeaders,
  ),
  PayloadTooLarge: errorResponse(
    'The body is larger than the limit.',
    new PayloadTooLarge(RESOURCE_LIMIT),
    authenticatedHeaders,
  ),
  IdempotencyKeyReused: errorResponse(
    'The Idempotency-Key was used with another request.',
    new IdempotencyKeyReused(),
    authenticatedHeaders,
  ),
  TooManyRequests: errorResponse(
    'Too many requests with this key, or too many without a valid one from this address.',
    new RateLimited('requests per API key', KEY_LIMIT, PERIOD),
    { ...everywhere, 'Retry-After': ref('headers', 'RetryAfter') },
  ),
  InternalError: {
    description: 'A bug of the service. Its log has the details, under the id of the request.',
    headers: authenticatedHeaders,
    content: json(ref('schemas', 'Error'), { error: 'Internal server error.' }),
  },
  Unavailable: errorResponse(
    'The database is overloaded, resetting or out of reach. Try again after the time given.',
    new Unavailable(),
    { ...authenticatedHeaders, 'Retry-After': ref('headers', 'RetryAfter') },
  ),
};

/** A JSON body with an example. */
export function json(schema: Schema, example: unknown): Schema {
  return { 'application/json': { schema, example } };
}

/** A JSON body with several examples. */
export function jsonOf(schema: Schema, examples: Readonly<Record<string, Schema>>): Schema {
  return { 'application/json': { schema, examples } };
}

function errorResponse(description: string, error: ServiceError, headers: Schema): Schema {
  return { description, headers, content: json(ref('schemas', 'Error'), { error: error.message }) };
}
