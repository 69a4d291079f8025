import { FAILURE_LIMIT, KEY_LIMIT, PERIOD } from '../../../src/http/api-env.ts';
import { MAX_LIMIT } from '../../../src/collection/list/query.ts';
import { expectedMatch } from '../../../src/collection/post-parameters.ts';
import { ROW_LIMIT } from '../../../src/collection/list-body.ts';
import type { ServiceError } from '../../../src/errors.ts';
import {
  AlreadyExists,
  BrandSuspended,
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
} from '../../../src/errors.ts';
import { LIST_LIMIT, RESOURCE_LIMIT } from '../../../src/http/body.ts';
import type { Described, DescribedCollection, DescribedService } from './described.ts';
import { authenticatedHeaders, everywhere, failureHeaders } from './headers.ts';
import type { Example, Schema, Schemas } from './schema.ts';
import { json, jsonOf, ref } from './schema.ts';

const badHeader = new InvalidRequest([
  { path: 'If-None-Match', message: 'expected * or a list of quoted entity tags' },
]);

/** The error responses that do not depend on a resource, by component name. */
const sharedErrors: Schemas = {
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
    'The API key is missing, malformed, unknown, revoked or expired, or the two headers have different keys.',
    {
      missing: new MissingKey(),
      conflicting: new ConflictingKeys(),
      invalid: new InvalidKey(),
    },
    { ...everywhere, 'WWW-Authenticate': ref('headers', 'Authenticate') },
  ),
  Suspended: errorResponse('The operator has suspended the brand.', {
    suspended: new BrandSuspended(),
  }),
  Forbidden: errorResponse(
    'The operator has suspended the brand, or a read-only key was used for a write.',
    { suspended: new BrandSuspended(), readOnly: new ReadOnlyKey() },
  ),
  TokenExpired: errorResponse(
    'The token of `since` is older than the oldest deletion still stored, or the operator has reset the tokens.',
    { expired: new TokenExpired() },
  ),
  PreconditionFailed: errorResponse(
    'If-Match or If-None-Match does not hold. Read the resource again: if the response to an earlier try was lost, that try may have changed it.',
    { failed: new PreconditionFailed() },
  ),
  PayloadTooLarge: errorResponse('The body is larger than the limit.', {
    resource: new PayloadTooLarge(RESOURCE_LIMIT),
  }),
  ListTooLarge: errorResponse('The body, or an item of its list, is larger than the limit.', {
    resource: new PayloadTooLarge(RESOURCE_LIMIT),
    list: new PayloadTooLarge(LIST_LIMIT),
    item: new PayloadTooLarge(ROW_LIMIT, 'products.3'),
  }),
  IdempotencyKeyReused: errorResponse('The Idempotency-Key was used with another request.', {
    reused: new IdempotencyKeyReused(),
  }),
  TooManyRequests: errorResponse(
    'Too many requests with this key, or too many requests without a valid key from this address.',
    {
      key: new RateLimited('requests per API key', KEY_LIMIT, PERIOD),
      address: new RateLimited('requests without a valid API key', FAILURE_LIMIT, PERIOD),
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
    { unavailable: new Unavailable() },
    { ...failureHeaders, 'Retry-After': ref('headers', 'RetryAfter') },
  ),
};

/** Returns the error responses, by component name. */
export function errorResponses({ brand, collections }: DescribedService): Schemas {
  return {
    ...sharedErrors,
    InvalidProfile: invalidBody('brand.', brand),
    ...Object.fromEntries(collections.flatMap((described) => Object.entries(errorsOf(described)))),
  };
}

function errorsOf(described: DescribedCollection): Schemas {
  const { collection, names, fields } = described;
  const { unique, noun } = collection;
  const example = fields.find(({ name }) => name === unique?.name)?.example;
  return {
    [`Invalid${names.one}`]: invalidBody('', described),
    [`Invalid${names.many}`]: invalidPost(described),
    [`${names.one}NotFound`]: errorResponse(`The brand has no ${names.noun} with this id.`, {
      unknown: new NotFound(noun),
    }),
    ...(unique && {
      [`${names.one}Exists`]: errorResponse(
        `The brand has a ${names.noun} with this ${unique.name} already, ignoring case.`,
        { taken: new AlreadyExists(noun, String(example)) },
      ),
    }),
  };
}

/** @param path the path of the fields in the body */
function invalidBody(path: string, described: Described): Schema {
  return invalid({ syntax: new InvalidJson(), fields: invalidFields(path, described) });
}

/** A POST also takes parameters and lists of resources. */
function invalidPost(described: DescribedCollection): Schema {
  const { keys, matches } = described.collection;
  const required = described.fields.find(({ isRequired }) => isRequired);
  return invalid({
    syntax: new InvalidJson(),
    fields: invalidFields('', described),
    items: new InvalidRequest([
      { path: `${keys.many}.3.${required?.name ?? 'id'}`, message: 'required' },
    ]),
    parameters: new InvalidRequest([{ path: 'match', message: expectedMatch(matches) }]),
  });
}

function invalidFields(path: string, { fields }: Described): InvalidRequest {
  const required = fields.filter(({ isRequired }) => isRequired);
  return new InvalidRequest([
    ...required.map(({ name }) => ({ path: `${path}${name}`, message: 'required' })),
    { path: `${path}colour`, message: 'unknown field' },
  ]);
}

function invalid(errors: Readonly<Record<string, ServiceError>>): Schema {
  return errorResponse(
    'The body is not JSON, or the body, a parameter or a header breaks a rule. The text names every problem.',
    errors,
  );
}

function errorResponse(
  description: string,
  errors: Readonly<Record<string, ServiceError>>,
  headers: Schema = authenticatedHeaders,
): Schema {
  const examples = Object.entries(errors).map(([name, { message }]): [string, Example] => [
    name,
    { summary: message, value: { error: message } },
  ]);
  return {
    description,
    headers,
    content: jsonOf(ref('schemas', 'Error'), Object.fromEntries(examples)),
  };
}
