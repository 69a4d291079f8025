import type { Problem } from './problems.ts';
import { retryAfter } from './retry.ts';
import { declared } from './json.ts';

/** The service's word for the cause of an error. The reference says what each means. */
export type ErrorCode =
  | 'already-exists'
  | 'conflicting-keys'
  | 'internal'
  | 'invalid-json'
  | 'invalid-key'
  | 'invalid-request'
  | 'key-reused'
  | 'method-not-allowed'
  | 'missing-key'
  | 'no-such-path'
  | 'not-found'
  | 'plain-http'
  | 'precondition-failed'
  | 'rate-limited'
  | 'read-only-key'
  | 'suspended'
  | 'token-gone'
  | 'too-large'
  | 'unavailable';

/** The service rejected a request or did not answer. The message is the error text of what answered. */
export class BrandApiError extends Error {
  override readonly name = 'BrandApiError';
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /**
   * The service's word for the cause, such as `already-exists`: stable, unlike most messages. A later service may have more
   * words. Undefined if the service itself did not send this error.
   */
  readonly code: ErrorCode | undefined;
  /**
   * Whether the service itself sent this error. Otherwise something in between did, such as a gateway, and the status says
   * nothing about a resource: its 404 does not mean that one is deleted.
   */
  readonly isFromService: boolean;
  /** How long to wait before another try, in milliseconds. @internal */
  readonly retryAfter: number;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** What is wrong with the request, one by one, if the message lists it. */
  readonly problems: readonly Problem[];

  constructor(
    message: string,
    details: {
      status?: number | undefined;
      isFromService?: boolean;
      /** Of the response. */
      headers?: Headers | undefined;
      cause?: unknown;
      problems?: readonly Problem[];
    },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.isFromService = details.isFromService ?? false;
    const code = this.isFromService ? details.headers?.get('X-Error') : undefined;
    this.code = declared<ErrorCode | undefined>(code ?? undefined);
    this.retryAfter = retryAfter(details.headers);
    this.requestId = details.headers?.get('X-Request-Id') ?? undefined;
    this.problems = details.problems ?? [];
  }
}

/** Returns the error for a response that the service cannot have sent. */
export function strange(
  { status, headers }: { readonly status: number; readonly headers: Headers },
  what: string,
): BrandApiError {
  return new BrandApiError(`The response has ${what}. Is the address of the service right?`, {
    status,
    headers,
  });
}
