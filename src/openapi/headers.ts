import { PERIOD, RATE_LIMIT_POLICY } from '../auth/rate-limits.ts';
import { BOOKMARK, TAG } from './examples.ts';
import type { Schema, Schemas } from './schema.ts';
import { ref } from './schema.ts';

/** A header that every response of its kind has. */
function header(description: string, schema: Schema): Schema {
  return { description, required: true, schema: { type: 'string', ...schema } };
}

/** A header that a response of its kind may have. */
function optionalHeader(description: string, schema: Schema): Schema {
  return { description, schema: { type: 'string', ...schema } };
}

/** All response headers of the document, by the name of their component. */
export const headers: Schemas = {
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

/** The headers of every response. */
export const everywhere = {
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
export const failureHeaders = {
  ...everywhere,
  'x-d1-bookmark': { ...headers['Bookmark'], required: false },
  'RateLimit-Policy': { ...headers['RateLimitPolicy'], required: false },
};
