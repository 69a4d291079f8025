import { FAILURE_LIMIT, KEY_LIMIT, PERIOD, RATE_LIMIT_POLICY } from '../../../src/auth/limits.ts';
import { MAX_LIMIT } from '../../../src/collection/list/query.ts';
import { expectedMatch } from '../../../src/collection/post-parameters.ts';
import { ROW_LIMIT } from '../../../src/collection/list-body.ts';
import * as errors from '../../../src/errors.ts';
import { LIST_LIMIT, RESOURCE_LIMIT } from '../../../src/http/body.ts';
import type { Described, DescribedCollection, DescribedService } from './described.ts';
import { BOOKMARK, TAG } from './examples.ts';
import type { Schema, Schemas } from './schema.ts';
import { jsonOf, merged, ref } from './schema.ts';

/** A header that is always present in its responses. */
function header(description: string, schema: Schema): Schema {
  return { ...optionalHeader(description, schema), required: true };
}

function optionalHeader(description: string, schema: Schema): Schema {
  return { description, schema: { type: 'string', ...schema } };
}

/** All response headers of the document, by the name of their component. */
export const headers: Schemas = {
  RequestId: header('The id of the request. It is in the log too.', {
    examples: ['f48d6e10-3359-481f-835f-99ae184facbf'],
  }),
  CacheControl: header('No cache may keep the response.', { const: 'no-store' }),
  Bookmark: optionalHeader(
    'How fresh the response is. If you send the last bookmark back, the nearest replica that is at least that fresh may answer. Absent if D1 gives one that the service would not accept.',
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
  Authenticate: header(
    'How to authenticate (RFC 6750, 3). `error_description` says what to do if a key may be where it is not read.',
    { pattern: '^Bearer realm="brand-api"(, error(_description)?="[ !#-\\[\\]-~]+")?$' },
  ),
};

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
const failureHeaders = {
  ...everywhere,
  'x-d1-bookmark': ref('headers', 'Bookmark'),
  'RateLimit-Policy': { ...headers['RateLimitPolicy'], required: false },
};

/** The error responses that do not depend on a resource, by component name. */
const sharedErrors: Schemas = {
  BadRequest: errorResponse('A header breaks a rule. The text names every problem.', {
    header: invalid('If-None-Match', 'expected * or a list of quoted entity tags'),
  }),
  BadList: errorResponse('A parameter or a header breaks a rule. The text names every problem.', {
    parameters: new errors.InvalidRequest([
      { path: 'limit', message: `expected a whole number from 1 to ${MAX_LIMIT}` },
      { path: 'sku', message: 'does not combine with since' },
    ]),
  }),
  Unauthorized: errorResponse(
    'The API key is missing, malformed, unknown, revoked or expired, or the two headers have different keys.',
    {
      missing: new errors.MissingKey(),
      conflicting: new errors.ConflictingKeys(),
      invalid: new errors.InvalidKey(),
    },
    { ...everywhere, 'WWW-Authenticate': ref('headers', 'Authenticate') },
  ),
  Suspended: errorResponse(
    'The operator has suspended the brand, or the request came over plain HTTP.',
    { suspended: new errors.BrandSuspended(), plainHttp: new errors.PlainHttp() },
    failureHeaders,
  ),
  Forbidden: errorResponse(
    'The operator has suspended the brand, a read-only key was used for a write, or the request came over plain HTTP.',
    {
      suspended: new errors.BrandSuspended(),
      readOnly: new errors.ReadOnlyKey(),
      plainHttp: new errors.PlainHttp(),
    },
    failureHeaders,
  ),
  TokenExpired: errorResponse(
    'The token of `since` is older than the oldest deletion still stored, or the operator has reset the tokens.',
    { expired: new errors.TokenExpired() },
  ),
  PreconditionFailed: errorResponse(
    'If-Match or If-None-Match does not hold. Read the resource again: if the response to an earlier try was lost, that try may have changed it.',
    { failed: new errors.PreconditionFailed() },
  ),
  PayloadTooLarge: errorResponse('The body is larger than the limit.', {
    resource: new errors.PayloadTooLarge(RESOURCE_LIMIT),
  }),
  ListTooLarge: errorResponse('The body, or an item of its list, is larger than the limit.', {
    resource: new errors.PayloadTooLarge(RESOURCE_LIMIT),
    list: new errors.PayloadTooLarge(LIST_LIMIT),
    item: new errors.PayloadTooLarge(ROW_LIMIT, 'products.3'),
  }),
  IdempotencyKeyReused: errorResponse('The Idempotency-Key was used with another request.', {
    reused: new errors.IdempotencyKeyReused(),
  }),
  TooManyRequests: errorResponse(
    'Too many requests with this key, or too many requests without a valid key from this address.',
    {
      key: new errors.RateLimited('requests per API key', KEY_LIMIT, PERIOD),
      address: new errors.RateLimited('requests without a valid API key', FAILURE_LIMIT, PERIOD),
    },
    { ...everywhere, 'Retry-After': ref('headers', 'RetryAfter') },
  ),
  InternalError: errorResponse(
    'A bug in the service. Its log has the details under the request id.',
    { internal: new Error('Internal server error.') },
    failureHeaders,
  ),
  Unavailable: errorResponse(
    'The database is overloaded, resetting or unreachable. Try again after the time given. A write may be done: the service repeats a write whose acknowledgement was lost, and cannot always tell.',
    { unavailable: new errors.Unavailable('overloaded') },
    { ...failureHeaders, 'Retry-After': ref('headers', 'RetryAfter') },
  ),
};

/** Returns the error responses, by component name. */
export function errorResponses({ brand, collections }: DescribedService): Schemas {
  return {
    ...sharedErrors,
    InvalidProfile: invalidBody('brand.', brand),
    ...merged(collections.map(errorsOf)),
  };
}

function errorsOf(described: DescribedCollection): Schemas {
  const { collection, one, many, noun, fields } = described;
  const { keys, matches, unique } = collection;
  const example = fields.find(({ name }) => name === unique?.name)?.example;
  const required = fields.find(({ isRequired }) => isRequired)?.name ?? 'id';
  return {
    [`Invalid${one}`]: invalidBody('', described),
    // A POST also takes lists and parameters.
    [`Invalid${many}`]: invalidBody('', described, {
      items: invalid(`${keys.many}.3.${required}`, 'required'),
      parameters: invalid('match', expectedMatch(matches)),
    }),
    [`${one}NotFound`]: errorResponse(`The brand has no such ${noun}.`, {
      unknown: new errors.NotFound(collection.noun),
    }),
    ...(unique && {
      [`${one}Exists`]: errorResponse(
        `The brand has a ${noun} with this ${unique.name} already, ignoring case.`,
        { taken: new errors.AlreadyExists(collection.noun, String(example)) },
      ),
    }),
  };
}

/** @param path the path of the fields in the body */
function invalidBody(path: string, { fields }: Described, more: Failures = {}): Schema {
  const required = fields.filter(({ isRequired }) => isRequired);
  return errorResponse(
    'The body is not JSON, or the body, a parameter or a header breaks a rule. The text names every problem.',
    {
      syntax: new errors.InvalidJson(),
      fields: new errors.InvalidRequest([
        ...required.map(({ name }) => ({ path: `${path}${name}`, message: 'required' })),
        { path: `${path}colour`, message: 'unknown field' },
      ]),
      ...more,
    },
  );
}

function invalid(path: string, message: string): errors.InvalidRequest {
  return new errors.InvalidRequest([{ path, message }]);
}

/** Errors, by the name of the example. */
type Failures = Readonly<Record<string, Error>>;

/** A response of an error, with an example of each cause. */
export function errorResponse(
  description: string,
  failures: Failures,
  headers: Schema = authenticatedHeaders,
): Schema {
  const examples = Object.entries(failures).map(
    ([name, { message }]) => [name, [message, { error: message }]] as const,
  );
  const content = jsonOf(ref('schemas', 'ErrorBody'), Object.fromEntries(examples));
  const codes = new Set(Object.values(failures).map(errors.errorCode));
  const code = header('The word for the cause. It is stable, unlike most texts.', {
    enum: [...codes],
  });
  return { description, headers: { ...headers, 'X-Error': code }, content };
}
