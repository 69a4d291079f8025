import { retryAfter } from './retry.ts';

/**
 * One way in which a request breaks a rule: where (a dotted path, or a parameter's or header's name; the name of an unknown
 * field in quotes if it is more than a word), and what is expected.
 */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The service rejected a request or did not answer. The message is the error text of what answered. */
export class BrandApiError extends Error {
  override readonly name = 'BrandApiError';
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /**
   * The service's word for the cause, such as `already-exists`: stable, unlike most messages. The reference lists all of
   * them. Undefined if the service itself did not send this error.
   */
  readonly code: string | undefined;
  /**
   * Whether the service itself sent this error. Otherwise something in between did, such as a gateway, and the status says
   * nothing about a resource: its 404 does not mean that one is deleted.
   */
  readonly isFromService: boolean;
  /** How long to wait before another try, in milliseconds. @internal */
  readonly retryAfter: number;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** What is wrong with the request, if the message lists it. */
  readonly problems: readonly Problem[];

  constructor(
    message: string,
    details: {
      status?: number | undefined;
      isFromService?: boolean;
      /** Of the response. */
      headers?: Headers | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.isFromService = details.isFromService ?? false;
    this.code = this.isFromService ? (details.headers?.get('X-Error') ?? undefined) : undefined;
    this.retryAfter = retryAfter(details.headers);
    this.requestId = details.headers?.get('X-Request-Id') ?? undefined;
    const [, list = ''] = /^Invalid request: (.*)/s.exec(message) ?? [];
    this.problems = problemsIn(list);
  }
}

const SEPARATOR = '; ';

/** Parses a list of problems such as `priceCents: expected an integer; title: required`. */
function problemsIn(list: string): Problem[] {
  const problems: Problem[] = [];
  // What is quoted is a name or a value, which ends no problem.
  const masked = list.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?/gs, ({ length }) => '_'.repeat(length));
  let start = 0;
  // A problem starts with a path, so a semicolon within a text does not end it.
  for (const part of masked.split(/; (?=[\w.-]+: |and \d+ more$)/)) {
    const [prefix = '', path = ''] = /^([\w.-]+): /.exec(part) ?? [];
    const text = list.slice(start, start + part.length);
    if (prefix !== '')
      problems.push({ path: text.slice(0, path.length), message: text.slice(prefix.length) });
    start += part.length + SEPARATOR.length;
  }
  return problems;
}

/** Returns the error for a response that the service cannot have sent. */
export function strange(
  { status, headers }: { readonly status: number; readonly headers: Headers },
  what: string,
): BrandApiError {
  return new BrandApiError(`The response has ${what}. Is baseUrl right?`, { status, headers });
}
