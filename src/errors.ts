/**
 * Everything that the service refuses, with the status and the text that the client reads.
 * Whatever is thrown and is not one of these is a bug: the client sees 500 and nothing of it.
 */
export abstract class ServiceError extends Error {
  abstract readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 422 | 429 | 503;
  /** Response headers that belong to this error, `Retry-After` say. */
  readonly headers: Readonly<Record<string, string>> = {};
}

/** The body is not one JSON text in UTF-8 (RFC 8259). */
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

/** The most problems that an error names. It counts the others. */
export const MAX_PROBLEMS = 100;

/** A body, parameter or header breaks a rule. The text names every problem, up to `MAX_PROBLEMS` of them. */
export class InvalidRequest extends ServiceError {
  readonly status = 400;
  readonly problems: readonly Problem[];
  /** How many more problems there are. */
  readonly unlisted: number;
  constructor(problems: readonly Problem[], unlisted = 0) {
    super(`Invalid request: ${problemsText(problems, unlisted)}`);
    this.problems = problems;
    this.unlisted = unlisted;
  }
}

/**
 * Problems as one text: the first 100 in words, the number of the others. Of equal ones, one counts.
 * @param unlisted how many there are besides
 */
export function problemsText(problems: readonly Problem[], unlisted = 0): string {
  const texts = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const distinct = [...new Set(texts)];
  const named = distinct.slice(0, MAX_PROBLEMS);
  const more = distinct.length - named.length + unlisted;
  if (more > 0) named.push(`and ${more} more`);
  return named.join('; ');
}

/** The request does not say, or not credibly, on whose behalf it comes (RFC 9110, 15.5.2). */
export abstract class Unauthorized extends ServiceError {
  readonly status = 401;
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };
}

/** The request carries no API key. */
export class MissingKey extends Unauthorized {
  constructor() {
    super('Missing API key.');
  }
}

/** The two key headers carry different keys. */
export class ConflictingKeys extends Unauthorized {
  constructor() {
    super('Conflicting API keys.');
  }
}

/** The key is malformed, unknown, revoked or expired: one error for all four, so that it tells a guesser nothing. */
export class InvalidKey extends Unauthorized {
  constructor() {
    super('Invalid API key.');
  }
}

/** A key of scope `read` on a write. */
export class ReadOnlyKey extends ServiceError {
  readonly status = 403;
  constructor() {
    super('This API key is read-only.');
  }
}

/** No such path, or no such resource of this brand; another brand's is no different. */
export class NotFound extends ServiceError {
  readonly status = 404;
  /** @param noun what was not found, `Product` say; nothing for a path */
  constructor(noun?: string) {
    super(noun === undefined ? 'Not found.' : `${noun} not found.`);
  }
}

/** The path exists, the method on it does not. */
export class MethodNotAllowed extends ServiceError {
  readonly status = 405;
  override readonly headers: Readonly<Record<string, string>>;
  /**
   * @param methods those to name in the text
   * @param allow the whole `Allow` header (RFC 9110, 10.2.1)
   */
  constructor(methods: readonly string[], allow: string) {
    super(`Method not allowed. Use ${methods.join(', ').replace(/, (\w+)$/, ' or $1')}.`);
    this.headers = { Allow: allow };
  }
}

/** A value that must be unique in the brand is taken. */
export class AlreadyExists extends ServiceError {
  readonly status = 409;
  constructor(noun: string, value: string) {
    super(`${noun} "${value}" already exists.`);
  }
}

/** A token of `since` that is older than the deletions still known, or from before the operator reset the tokens. */
export class TokenExpired extends ServiceError {
  readonly status = 410;
  constructor() {
    super('This token is no longer good. Start again with since=0.');
  }
}

/** The resource is no longer, or already, what the request demands (RFC 9110, 13). */
export class PreconditionFailed extends ServiceError {
  readonly status = 412;
  constructor() {
    super(
      'Precondition failed: the resource is not as If-Match or If-None-Match says. Read it again.',
    );
  }
}

/** An `Idempotency-Key` came with another request than the first time. */
export class IdempotencyKeyReused extends ServiceError {
  readonly status = 422;
  constructor() {
    super('Idempotency-Key was used with another request. Use a new key for a new request.');
  }
}

/** The body is larger than the limit. */
export class PayloadTooLarge extends ServiceError {
  readonly status = 413;
  /** @param limit in bytes, a whole number of KiB */
  constructor(limit: number) {
    const text = limit % 1_048_576 === 0 ? `${limit / 1_048_576} MiB` : `${limit / 1024} KiB`;
    super(`Request body too large. The limit is ${text}.`);
  }
}

/** Too many requests in too short a time. */
export class RateLimited extends ServiceError {
  readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;
  /**
   * @param what is limited, in words
   * @param period of the limit, in seconds
   */
  constructor(what: string, limit: number, period: number) {
    super(`Rate limit exceeded: ${limit} ${what} per ${period} seconds.`);
    this.headers = { 'Retry-After': String(period) };
  }
}

/** D1 is overloaded, resetting or out of reach, also after the retries. */
export class Unavailable extends ServiceError {
  readonly status = 503;
  override readonly headers = { 'Retry-After': '1' };
  constructor(options?: ErrorOptions) {
    super('Service temporarily unavailable.', options);
  }
}
