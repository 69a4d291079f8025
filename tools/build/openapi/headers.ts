import { PERIOD, RATE_LIMIT_POLICY } from '../../../src/http/api-env.ts';
import { BOOKMARK, TAG } from './examples.ts';
import type { Schema, Schemas } from './schema.ts';
import { ref } from './schema.ts';

/** A header that is always present in its responses. */
function header(description: string, schema: Schema): Schema {
  return { ...optionalHeader(description, schema), required: true };
}

/** A header that may be absent from its responses. */
function optionalHeader(description: string, schema: Schema): Schema {
  return { description, schema: { type: 'string', ...schema } };
}

/** All response headers of the document, by the name of their component. */
export const headers: Schemas = {
  RequestId: header('The id of the request. It is in the log too.', {
    examples: ['f48d6e10-3359-481f-835f-99ae184facbf'],
  }),
  CacheControl: header('No cache may keep the response.', { const: 'no-store' }),
  Bookmark: header(
    'How fresh the response is. If you send the last bookmark back, the nearest replica that is at least that fresh may answer.',
    { examples: [BOOKMARK] },
  ),
  RateLimitPolicy: header('The rate limit of a key: requests (q) per seconds (w).', {
    examples: [RATE_LIMIT_POLICY],
  }),
  ETag: header(
    'The entity tag of the resource, for If-Match and If-None-Match. The service sends a strong tag; Cloudflare makes it weak (W/) if it compresses the response. Send it back as you received it.',
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
    'Present if this response repeats the first response to this Idempotency-Key.',
    { const: 'true' },
  ),
  PreferenceApplied: optionalHeader('The preferences of Prefer that were applied (RFC 7240).', {
    examples: ['return=minimal, handling=lenient'],
  }),
  RetryAfter: header('The number of seconds to wait before trying again.', {
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

/** The headers of failures, which may happen before the key is accepted. */
export const failureHeaders = {
  ...everywhere,
  'x-d1-bookmark': { ...headers['Bookmark'], required: false },
  'RateLimit-Policy': { ...headers['RateLimitPolicy'], required: false },
};
