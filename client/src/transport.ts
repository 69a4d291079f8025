import { BrandApiError } from './error.ts';

/** What a client needs to know. */
export interface ClientOptions {
  /** An API key of the brand. */
  readonly apiKey: string;
  /** Where the service is, `https://api.example.com` say. */
  readonly baseUrl: string;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** How often a request is sent at most; 5 unless told otherwise. */
  readonly tries?: number;
}

/** One request, its path below `/api/brand/v1`. */
export interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, or the absolute URL of a further page. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The answer to a request that was carried out. */
export interface ClientResponse {
  readonly body: unknown;
  readonly headers: Headers;
}

const TRIES = 5;

/** The longest wait before the second try, in milliseconds; it doubles with each further one. */
const FIRST_WAIT = 250;

/** The one refusal that comes before anything was done. */
const RATE_LIMITED = 429;

const UNAVAILABLE = 503;

/** An answer that came in whole. */
interface Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends requests: with the key, with the last bookmark, and again where that is safe and may help. */
export class Transport {
  readonly #base: URL;
  readonly #apiKey: string;
  readonly #fetch: typeof fetch;
  readonly #tries: number;
  #bookmark = '';

  constructor({ apiKey, baseUrl, fetch = globalThis.fetch, tries = TRIES }: ClientOptions) {
    this.#base = new URL(baseUrl);
    this.#apiKey = apiKey;
    this.#fetch = fetch.bind(globalThis);
    this.#tries = tries;
  }

  /** @throws BrandApiError */
  async send(request: ClientRequest): Promise<ClientResponse> {
    let mayBeDone = false;
    for (let tried = 1; ; tried++) {
      const isLast = tried >= this.#tries;
      const answer = await this.#once(request, isLast);
      if (answer === undefined || (mayHelp(request, answer.status) && !isLast)) {
        mayBeDone ||= answer?.status !== RATE_LIMITED;
        await wait(Math.max(backOff(tried), retryAfter(answer?.headers)));
        continue;
      }
      const { status, headers, text } = answer;
      this.#keepBookmark(headers);
      // Not there at a repeat: an earlier try deleted it, and its answer was lost.
      const isGone = request.method === 'DELETE' && status === 404 && mayBeDone;
      const requestId = headers.get('X-Request-Id') ?? undefined;
      if (!answer.ok && !isGone) throw new BrandApiError(errorText(text), { status, requestId });
      try {
        const body: unknown = text === '' ? undefined : JSON.parse(text);
        return { body, headers };
      } catch (cause) {
        throw new BrandApiError('The answer is not JSON.', { status, requestId, cause });
      }
    }
  }

  /** Sends a request once; undefined where there was no whole answer and it may be sent again. */
  async #once(request: ClientRequest, isLast: boolean): Promise<Answer | undefined> {
    try {
      const response = await this.#fetch(this.#url(request), this.#init(request));
      const { status, ok, headers } = response;
      return { status, ok, headers, text: await response.text() };
    } catch (cause) {
      if (isLast || !mayRepeatBlindly(request)) {
        throw new BrandApiError('The service did not answer.', { cause });
      }
      return undefined;
    }
  }

  #url({ path, query = {} }: ClientRequest): URL {
    const url = new URL(path.startsWith('/') ? `/api/brand/v1${path}` : path, this.#base);
    // Whatever a Link says: the key goes to the service that it was given for.
    if (url.origin !== this.#base.origin) return new URL(url.pathname + url.search, this.#base);
    for (const [name, value] of Object.entries<unknown>({ ...query })) {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
        url.searchParams.set(name, String(value));
      }
    }
    return url;
  }

  #init({ method, body, headers }: ClientRequest): RequestInit {
    return {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${this.#apiKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(this.#bookmark !== '' && { 'x-d1-bookmark': this.#bookmark }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }

  /** Bookmarks sort as texts: the latest stays, whatever order answers come in. */
  #keepBookmark(headers: Headers): void {
    const bookmark = headers.get('x-d1-bookmark') ?? '';
    if (bookmark > this.#bookmark) this.#bookmark = bookmark;
  }
}

/**
 * Whether a request whose answer was lost may be sent again, though it may have taken effect. With `If-Match` a repeat
 * would find its own change in the way and look like a conflict. A POST has an `Idempotency-Key`.
 */
function mayRepeatBlindly({ headers = {} }: ClientRequest): boolean {
  return !('If-Match' in headers);
}

/** Whether the same request may be answered otherwise in a moment. A 503 can come after the work was done. */
function mayHelp(request: ClientRequest, status: number): boolean {
  return status === RATE_LIMITED || (status === UNAVAILABLE && mayRepeatBlindly(request));
}

function backOff(tried: number): number {
  return Math.random() * FIRST_WAIT * 2 ** (tried - 1);
}

/** `Retry-After` in milliseconds; the service gives it in seconds. */
function retryAfter(headers: Headers | undefined): number {
  return Number(headers?.get('Retry-After') ?? 0) * 1000 || 0;
}

function errorText(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error);
  } catch {
    // Not the service's own answer: something on the way spoke.
  }
  return text.slice(0, 200);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
