/** An error that the client sees, with its status and text. Any other error is a bug: the client gets a generic 500. */
export abstract class ServiceError extends Error {
  abstract readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 422 | 429 | 503;
  /** Response headers of this error, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>> = {};
}

/** The body is not a JSON text in UTF-8 (RFC 8259). */
export class InvalidJson extends ServiceError {
  readonly status = 400;
  constructor() {
    super('Invalid JSON payload.');
  }
}

/** One way in which a request breaks a rule: where (a dotted path, or a parameter's or header's name) and what is expected. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The maximum number of problems that an error lists. It counts the others. */
export const MAX_PROBLEMS = 100;

/** A body, parameter or header breaks a rule. The text lists up to `MAX_PROBLEMS` problems. */
export class InvalidRequest extends ServiceError {
  readonly status = 400;
  readonly problems: readonly Problem[];
  /** The number of further problems. */
  readonly unlisted: number;
  constructor(problems: readonly Problem[], unlisted = 0) {
    super(`Invalid request: ${problemsText(problems, unlisted)}`);
    this.problems = problems;
    this.unlisted = unlisted;
  }
}

/**
 * Returns problems as one text: the first 100, and the number of the others. Duplicates count once.
 * @param unlisted the number of further problems
 */
export function problemsText(problems: readonly Problem[], unlisted = 0): string {
  const texts = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const distinct = [...new Set(texts)];
  const named = distinct.slice(0, MAX_PROBLEMS);
  const more = distinct.length - named.length + unlisted;
  if (more > 0) named.push(`and ${more} more`);
  return named.join('; ');
}

/** The request has no valid credentials (RFC 9110, 15.5.2). */
export abstract class Unauthorized extends ServiceError {
  readonly status = 401;
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };
}

/** The request has no API key. */
export class MissingKey extends Unauthorized {
  constructor() {
    super('Missing API key.');
  }
}

/** The two key headers have different keys. */
export class ConflictingKeys extends Unauthorized {
  constructor() {
    super('Conflicting API keys.');
  }
}

/** The key is malformed, unknown, revoked or expired. All four have the same error, which tells an attacker nothing. */
export class InvalidKey extends Unauthorized {
  constructor() {
    super('Invalid API key.');
  }
}

/** The operator has suspended the brand of the key. */
export class BrandSuspended extends ServiceError {
  readonly status = 403;
  constructor() {
    super('This brand is suspended.');
  }
}

/** A key with the scope `read` was used for a write. */
export class ReadOnlyKey extends ServiceError {
  readonly status = 403;
  constructor() {
    super('This API key is read-only.');
  }
}

/** The path does not exist, or the brand has no such resource. Another brand's resource gets the same error. */
export class NotFound extends ServiceError {
  readonly status = 404;
  /** @param noun the resource that was not found, such as `Product`; undefined for a path */
  constructor(noun?: string) {
    super(noun === undefined ? 'Not found.' : `${noun} not found.`);
  }
}

/** The path does not support the method. */
export class MethodNotAllowed extends ServiceError {
  readonly status = 405;
  override readonly headers: Readonly<Record<string, string>>;
  /**
   * @param methods the methods that the text names
   * @param allow the whole `Allow` header (RFC 9110, 10.2.1)
   */
  constructor(methods: readonly string[], allow: string) {
    super(`Method not allowed. Use ${methods.join(', ').replace(/, (\w+)$/, ' or $1')}.`);
    this.headers = { Allow: allow };
  }
}

/** Another resource of the brand has this unique value. */
export class AlreadyExists extends ServiceError {
  readonly status = 409;
  constructor(noun: string, value: string) {
    super(`${noun} "${value}" already exists.`);
  }
}

/** The `since` token is older than the oldest deletion still stored, or the operator has reset the tokens. */
export class TokenExpired extends ServiceError {
  readonly status = 410;
  constructor() {
    super('This token is no longer good. Start again with since=0.');
  }
}

/** The resource does not match `If-Match`, or matches `If-None-Match` (RFC 9110, 13). */
export class PreconditionFailed extends ServiceError {
  readonly status = 412;
  constructor() {
    super('Precondition failed: If-Match or If-None-Match does not hold. Read the resource again.');
  }
}

/** The `Idempotency-Key` was first used with a different request. */
export class IdempotencyKeyReused extends ServiceError {
  readonly status = 422;
  constructor() {
    super('Idempotency-Key was used with another request. Use a new key.');
  }
}

/** The body, or an item of its list, is larger than the limit. */
export class PayloadTooLarge extends ServiceError {
  readonly status = 413;
  /**
   * @param limit the limit in bytes, a whole number of KiB
   * @param part the path of the part that is too large, if it is not the whole body
   */
  constructor(limit: number, part?: string) {
    const of = part ? ` of ${part}` : '';
    super(`Request body too large. The limit${of} is ${limit / 1024} KiB.`);
  }
}

/** The client exceeded a rate limit. */
export class RateLimited extends ServiceError {
  readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;
  /**
   * @param what the limited quantity, in words
   * @param period the period of the limit, in seconds
   */
  constructor(what: string, limit: number, period: number) {
    super(`Rate limit exceeded: ${limit} ${what} per ${period} seconds.`);
    this.headers = { 'Retry-After': String(period) };
  }
}

/**
 * D1 is overloaded, resetting or unreachable, even after the retries; or a repeated write cannot tell whether its first
 * try took effect.
 */
export class Unavailable extends ServiceError {
  readonly status = 503;
  override readonly headers = { 'Retry-After': '1' };
  constructor(options?: ErrorOptions) {
    super('Service temporarily unavailable.', options);
  }
}
