type Status = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 422 | 429 | 503;

/** An error that the client sees, with its status and text. Any other error is a bug: the client gets a generic 500. */
export class ServiceError extends Error {
  readonly status: Status;
  /** The word for its cause, in the header `X-Error` and in the log. It is stable, unlike most texts. */
  readonly code: string;
  /** Further response headers of this error, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: Status,
    code: string,
    text: string,
    headers: ServiceError['headers'] = {},
    options?: ErrorOptions,
  ) {
    super(text, options);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function errorCode(error: Error): string {
  return error instanceof ServiceError ? error.code : 'internal';
}

/** Returns the class of an error that always has the same text. */
function errorClass(status: Status, code: string, text: string, headers?: ServiceError['headers']) {
  return class extends ServiceError {
    constructor(options?: ErrorOptions) {
      super(status, code, text, headers, options);
    }
  };
}

/** The body is not a JSON text in UTF-8 (RFC 8259). */
export const InvalidJson = errorClass(400, 'invalid-json', 'Invalid JSON payload.');

/** A response without valid credentials names the scheme (RFC 9110, 15.5.2), and may say why (RFC 6750, 3). */
function challenge(attribute = ''): ServiceError['headers'] {
  return { 'WWW-Authenticate': `Bearer realm="brand-api"${attribute && `, ${attribute}`}` };
}

/** The request has no key where the service reads one. */
export class MissingKey extends ServiceError {
  /** @param advice what to do with a key that may be elsewhere; ASCII without quotation marks and backslashes */
  constructor(advice?: string) {
    const description = advice && `error_description="${advice}"`;
    super(401, 'missing-key', 'Missing API key.', challenge(description));
  }
}

export const ConflictingKeys = errorClass(
  401,
  'conflicting-keys',
  'Conflicting API keys.',
  challenge(),
);

/** The key is malformed, unknown, revoked or expired. All four have the same error, which tells an attacker nothing. */
export const InvalidKey = errorClass(
  401,
  'invalid-key',
  'Invalid API key.',
  challenge('error="invalid_token"'),
);

/** The key, if there was one, was sent in clear: anybody on the way may have it. */
export const PlainHttp = errorClass(
  403,
  'plain-http',
  'Use https. Replace this key: it was sent in clear.',
);

export const BrandSuspended = errorClass(403, 'suspended', 'This brand is suspended.');
export const ReadOnlyKey = errorClass(403, 'read-only-key', 'This API key is read-only.');

/** The `since` token is older than the oldest deletion still stored, or the operator has reset the tokens. */
export const TokenExpired = errorClass(
  410,
  'token-gone',
  'This token is no longer good. Start again with since=0.',
);

export const PreconditionFailed = errorClass(
  412,
  'precondition-failed',
  'Precondition failed: If-Match or If-None-Match does not hold. Read the resource again.',
);

export const IdempotencyKeyReused = errorClass(
  422,
  'key-reused',
  'Idempotency-Key was used with another request. Use a new key.',
);

/** Why a request was not served, for the log. docs/operating.md says what to do for each. */
export type UnavailableReason =
  | 'frozen'
  | 'moved'
  | 'overloaded'
  | 'full'
  | 'daily limit'
  | 'not begun'
  | 'answer lost'
  | 'no binding'
  | 'assets';

/** In milliseconds. */
const DAY = 86_400_000;

/** Returns in how many seconds a request may succeed: D1's limits of a day begin again at midnight UTC. */
function retryAfter(reason: UnavailableReason): number {
  return reason === 'daily limit' ? Math.ceil((DAY - (Date.now() % DAY)) / 1000) : 1;
}

/** D1 is overloaded, resetting or unreachable, even after the retries; or nobody can tell whether a write took effect. */
export class Unavailable extends ServiceError {
  readonly reason: UnavailableReason;
  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    const headers = { 'Retry-After': String(retryAfter(reason)) };
    super(503, 'unavailable', 'Service temporarily unavailable.', headers, options);
    this.reason = reason;
  }
}

/** The path does not exist, or the brand has no such resource. Another brand's resource gets the same error. */
export class NotFound extends ServiceError {
  /** @param noun the resource that was not found, such as `Product`; undefined for a path */
  constructor(noun?: string) {
    if (noun === undefined) super(404, 'no-such-path', 'Not found.');
    else super(404, 'not-found', `${noun} not found.`);
  }
}

/** The path does not support the method. The text names methods that it does; `Allow` may have more (RFC 9110, 10.2.1). */
export class MethodNotAllowed extends ServiceError {
  constructor(methods: readonly string[], allow: string) {
    const named = methods.join(', ').replace(/, (\w+)$/, ' or $1');
    super(405, 'method-not-allowed', `Method not allowed. Use ${named}.`, { Allow: allow });
  }
}

/** Another resource of the brand has this unique value. */
export class AlreadyExists extends ServiceError {
  constructor(noun: string, value: string) {
    super(409, 'already-exists', `${noun} "${value}" already exists.`);
  }
}

/** The body, or a part of it, is larger than the limit, which is a whole number of KiB. */
export class PayloadTooLarge extends ServiceError {
  constructor(limit: number, part?: string) {
    const of = part ? ` of ${part}` : '';
    super(413, 'too-large', `Request body too large. The limit${of} is ${limit / 1024} KiB.`);
  }
}

/** The client exceeded a rate limit: a number of requests in a period of seconds. */
export class RateLimited extends ServiceError {
  constructor(what: string, limit: number, period: number) {
    super(429, 'rate-limited', `Rate limit exceeded: ${limit} ${what} per ${period} seconds.`, {
      'Retry-After': String(period),
    });
  }
}

/** One way in which a request breaks a rule: where (a dotted path, or a parameter's or header's name) and what is expected. */
export interface Problem {
  readonly path: string;
  /** What the client has sent is in it only in quotation marks, as JSON. */
  readonly message: string;
  /** The end of the path, if it is a name that the client has sent. */
  readonly unknownName?: string | undefined;
}

/** The maximum number of problems that an error lists. It counts the others. */
export const MAX_PROBLEMS = 100;

/** A body, parameter or header breaks a rule. The text lists up to `MAX_PROBLEMS` problems, and counts `unlisted` ones. */
export class InvalidRequest extends ServiceError {
  readonly problems: readonly Problem[];
  readonly unlisted: number;
  constructor(problems: readonly Problem[], unlisted = 0) {
    super(400, 'invalid-request', `Invalid request: ${problemsText(problems, unlisted)}`);
    this.problems = problems;
    this.unlisted = unlisted;
  }
}

/** Returns problems as one text: the first `max`, and the number of the others. Duplicates count once. */
export function problemsText(
  problems: readonly Problem[],
  unlisted = 0,
  max = MAX_PROBLEMS,
): string {
  const texts = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const distinct = [...new Set(texts)];
  const named = distinct.slice(0, max);
  const more = distinct.length - named.length + unlisted;
  if (more > 0) named.push(`and ${more} more`);
  return named.join('; ');
}
