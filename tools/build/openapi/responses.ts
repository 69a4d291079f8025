import { FAILURE_LIMIT, KEY_LIMIT, PERIOD } from '../../../src/http/api-env.ts';
import { MAX_LIMIT } from '../../../src/collection/list/query.ts';
import { expectedMatch } from '../../../src/collection/post-parameters.ts';
import { ROW_LIMIT } from '../../../src/collection/list-body.ts';
import * as errors from '../../../src/errors.ts';
import { LIST_LIMIT, RESOURCE_LIMIT } from '../../../src/http/body.ts';
import type { Described, DescribedCollection, DescribedService } from './described.ts';
import { authenticatedHeaders, everywhere, failureHeaders } from './headers.ts';
import type { Example, Schema, Schemas } from './schema.ts';
import { json, jsonOf, merged, ref } from './schema.ts';

/** The error responses that do not depend on a resource, by component name. */
const sharedErrors: Schemas = {
  BadRequest: errorResponse('A header breaks a rule. The text names every problem.', {
    header: invalid('If-None-Match', 'expected * or a list of quoted entity tags'),
  }),
  BadList: errorResponse('A parameter or a header breaks a rule. The text names every problem.', {
    parameters: new errors.InvalidRequest([
      { path: 'limit', message: `expected a whole number from 1 to ${MAX_LIMIT}` },
      { path: 'colour', message: 'unknown parameter' },
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
  Suspended: errorResponse('The operator has suspended the brand.', {
    suspended: new errors.BrandSuspended(),
  }),
  Forbidden: errorResponse(
    'The operator has suspended the brand, or a read-only key was used for a write.',
    { suspended: new errors.BrandSuspended(), readOnly: new errors.ReadOnlyKey() },
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
  InternalError: {
    description: 'A bug in the service. Its log has the details under the request id.',
    headers: failureHeaders,
    content: json(ref('schemas', 'Error'), { error: 'Internal server error.' }),
  },
  Unavailable: errorResponse(
    'The database is overloaded, resetting or unreachable. Try again after the time given. A write may be done: the service repeats a write whose acknowledgement was lost, and cannot always tell.',
    { unavailable: new errors.Unavailable() },
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
    [`${one}NotFound`]: errorResponse(`The brand has no ${noun} with this id.`, {
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

/** Errors of the service, by the name of the example. */
type Failures = Readonly<Record<string, errors.ServiceError>>;

function errorResponse(
  description: string,
  failures: Failures,
  headers: Schema = authenticatedHeaders,
): Schema {
  const examples = Object.entries(failures).map(([name, { message }]): [string, Example] => [
    name,
    { summary: message, value: { error: message } },
  ]);
  return {
    description,
    headers,
    content: jsonOf(ref('schemas', 'Error'), Object.fromEntries(examples)),
  };
}
