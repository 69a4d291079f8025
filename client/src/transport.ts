import { shortened } from '../../common/terminal/printable.ts';
import type { CallOptions } from './abort.ts';
import { within } from './abort.ts';
import { BrandApiError, strange } from './error.ts';
import { checkOptions, expectOption } from './option-rules.ts';
import { INVALID, problemsIn } from './problems.ts';
import type { RetryOptions } from './retry.ts';
import { retry } from './retry.ts';
import { jsonIn } from './json.ts';

/** The options of a client. `signal`, `timeout` and `tries` apply to all of its calls. */
export interface ClientOptions extends CallOptions {
  /** An API key of the brand. */
  readonly apiKey: string;
  /** The address of the service, for example `https://api.example.com`, with `/api/brand/v1` or without. */
  readonly baseUrl: string;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Called after each try of a request, for a log. An error of it ends the call. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
}

/** A request that was answered, or failed. It shows no key. */
export interface RequestEvent {
  readonly method: string;
  /** The path with its query, such as `/api/brand/v1/products?limit=250`. */
  readonly path: string;
  /** Undefined if there was no complete response. */
  readonly status: number | undefined;
  /** How long it took, in milliseconds; of a list that is read as it arrives, until it began. */
  readonly time: number;
}

/** One request, its path below `/api/brand/v1/`. */
export interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object | undefined;
  /** JSON. */
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Whether the body of a success is read as it arrives. */
  readonly isStreamed?: boolean;
}

export interface ClientResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if it is streamed. */
  readonly text: string;
  /** What the text means as JSON; undefined if it is not JSON. */
  readonly body: unknown;
  readonly stream: ReadableStream<Uint8Array> | null;
}

const TRIES = 5;

/** The default time limit of a response, in milliseconds. */
const TIMEOUT = 30_000;

/** The maximum size of a response that is not streamed, in bytes. The service's own have less than half of it. */
const LARGEST = 2 ** 25;

/**
 * The name of this library, with the version of its package. Cloudflare can refuse a request that names only the runtime,
 * or nothing.
 */
const USER_AGENT = `brand-integration-client/1.0.0${'process' in globalThis ? ' (node)' : ''}`;

const RATE_LIMITED = 429;
const UNAVAILABLE = 503;

/** What the answer of Cloudflare's Browser Integrity Check means. */
const BLOCKED =
  'Cloudflare refused the request because of its User-Agent (error code: 1010), so it did not reach the service. The operator can turn off Browser Integrity Check.';

export interface Limits extends Pick<RetryOptions, 'tries' | 'signals'> {
  /** In milliseconds. */
  readonly timeout: number;
}

/** Sends requests with the key and the last bookmark, and retries them if that is safe and may help. */
export class Transport {
  readonly #base: string;
  readonly #apiKey: string;
  readonly #fetch: typeof fetch;
  readonly #options: CallOptions & Pick<ClientOptions, 'onRequest'>;
  /** The latest one. Bookmarks sort as strings. */
  #bookmark = '';
  /** How many writes had no answer with a bookmark, and how many of them the bookmark is later than. */
  #lost = 0;
  #covered = 0;

  /** @throws TypeError or RangeError if an option cannot be used */
  constructor(options: ClientOptions) {
    checkOptions(options);
    const { apiKey, baseUrl, fetch = globalThis.fetch } = options;
    this.#base = `${checkedAddress(baseUrl)}/api/brand/v1/`;
    this.#apiKey = checkedKey(apiKey);
    this.#fetch = fetch.bind(globalThis);
    this.#options = options;
  }

  /** @throws TypeError or RangeError if an option cannot be used; BrandApiError, or the reason of a signal that aborts */
  async send(request: ClientRequest, options: CallOptions = {}): Promise<ClientResponse> {
    return this.read(request, options, (response) => {
      if (response.body === undefined) throw strange(response, 'no JSON');
      return response;
    });
  }

  limits(options: CallOptions): Limits {
    return {
      tries: options.tries ?? this.#options.tries ?? TRIES,
      timeout: options.timeout ?? this.#options.timeout ?? TIMEOUT,
      signals: [this.#options.signal, options.signal].filter((signal) => signal !== undefined),
    };
  }

  /**
   * Sends a request, and reads its response.
   * @param read if it throws a BrandApiError without a status, the response is lost
   * @throws as `send`
   */
  async read<T>(
    request: ClientRequest,
    options: CallOptions,
    read: (response: ClientResponse) => T | Promise<T>,
  ): Promise<T> {
    checkOptions(options);
    const limits = this.limits(options);
    let mayBeDone = false;
    return retry(
      async () => {
        const response = await this.#once(request, limits);
        const { status, headers } = response;
        if (status >= 200 && status < 300) return read(response);
        const own = ownError(response);
        const isFromService = own !== undefined;
        const message = own ?? foreignError(response);
        const problems = message.startsWith(INVALID)
          ? problemsIn(message.slice(INVALID.length))
          : [];
        const error = new BrandApiError(message, { status, isFromService, headers, problems });
        // If a repeated DELETE returns 404, an earlier try deleted the resource and its response was lost.
        const isGone = status === 404 && isFromService;
        if (request.method === 'DELETE' && isGone && mayBeDone) {
          return read({ ...response, body: { success: true } });
        }
        throw error;
      },
      (error) => {
        if (!(error instanceof BrandApiError && mayHelp(request, error))) return false;
        mayBeDone ||= !isRateLimited(error);
        return error;
      },
      limits,
    );
  }

  /** Sends a request once. @throws BrandApiError without a status if there was no complete response */
  async #once(request: ClientRequest, { timeout, signals }: Limits): Promise<ClientResponse> {
    const lost = this.#lost;
    // Outside the retries: a header or an address that cannot be sent is the caller's mistake.
    const [url, init] = [this.#url(request), this.#init(request)];
    const exchange = async (signal: AbortSignal): Promise<ClientResponse> => {
      const response = await this.#fetch(url, { ...init, signal });
      const { ok, status, headers, body: stream } = response;
      const isStreamed = ok && request.isStreamed === true;
      const text = isStreamed ? '' : await bodyText(response);
      const body = jsonIn(text);
      // A response without a length may end early.
      if (ok && body === undefined && /^\s*\{/.test(text)) throw new TypeError('terminated');
      return { status, headers, text, body, stream };
    };
    const started = performance.now();
    let response: ClientResponse | undefined;
    try {
      response = await within(exchange, timeout, signals);
      return response;
    } catch (cause) {
      for (const signal of signals) signal.throwIfAborted();
      throw new BrandApiError('The service did not answer.', { cause });
    } finally {
      const bookmark = response?.headers.get('x-d1-bookmark') ?? '';
      // Answers arrive in any order. A write without a bookmark may have been done: then a read has none, and goes to the
      // primary database, until a request that began later has been answered.
      if (bookmark > this.#bookmark) this.#bookmark = bookmark;
      if (bookmark !== '') this.#covered = Math.max(this.#covered, lost);
      else if (request.method !== 'GET') this.#lost++;
      this.#options.onRequest?.({
        method: request.method,
        path: url.pathname + url.search,
        status: response?.status,
        time: performance.now() - started,
      });
    }
  }

  #url({ path, query = {} }: ClientRequest): URL {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries<unknown>({ ...query })) {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      const isRight =
        values.length > 0 && values.every((one) => /^(?:string|number|boolean)$/.test(typeof one));
      // Left out, it would not filter.
      expectOption(value === undefined || isRight, name, 'a string, number or boolean, or several');
      if (value === undefined) continue;
      for (const one of values) url.searchParams.append(name, String(one));
    }
    return url;
  }

  #init({ method, body, headers }: ClientRequest): RequestInit {
    return {
      method,
      // Followed, a redirect could turn a POST into a GET, whose answer looks like success, or take the key elsewhere.
      redirect: 'manual',
      headers: new Headers({
        Accept: 'application/json',
        'User-Agent': USER_AGENT,
        Authorization: `Bearer ${this.#apiKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(this.#covered === this.#lost &&
          this.#bookmark !== '' && { 'x-d1-bookmark': this.#bookmark }),
        ...headers,
      }),
      ...(body !== undefined && { body }),
    };
  }
}

/**
 * Reads a body as text. If its bytes are not UTF-8, a letter would be lost of them. So a success then has no text, and no JSON; of
 * an error, the rest can be read.
 * @throws TypeError if that of a success is too large. Of an error, the beginning is enough.
 */
async function bodyText({ body, ok }: Response): Promise<string> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  let size = 0;
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    pieces.push(read.value);
    size += read.value.byteLength;
    if (size <= LARGEST) continue;
    reader?.cancel().catch(() => undefined);
    if (ok) throw new TypeError('The response is too large.');
    break;
  }
  const bytes = await new Blob(pieces).arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: ok, ignoreBOM: false }).decode(bytes);
  } catch {
    return '';
  }
}

/** Returns the address of a service without `/api/brand/v1` and without slashes at its end. */
export function serviceAddress(url: string): string {
  let base = url;
  while (base.endsWith('/')) base = base.slice(0, -1);
  return base.replace(/\/api\/brand\/v1$/, '');
}

/** @throws TypeError if it cannot be an address */
function checkedAddress(baseUrl: string): string {
  const address = URL.canParse(baseUrl) ? new URL(baseUrl).href : '';
  expectOption(
    /^https?:\/\/[^/?#@]+\/[^?#]*$/.test(address),
    'baseUrl',
    'an address such as https://api.example.com, without user, query or fragment',
  );
  return serviceAddress(address);
}

/** Returns a key without the white space around it. The error of `fetch` would show one that cannot be sent. */
function checkedKey(apiKey: unknown): string {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  const isEmpty = key === '' && typeof apiKey === 'string';
  expectOption(
    /^[!-~]+$/.test(key),
    'apiKey',
    isEmpty ? 'an API key: it is empty' : 'visible ASCII characters',
  );
  return key;
}

/**
 * Whether a retry may succeed, and is safe. A 503 can follow a write that took effect. If a 429 or a server error has no error
 * text of the service, it comes from the network in between, and the service's own response may be lost. With `If-Match`, a
 * retry would then find its own change and report a conflict. A POST has an `Idempotency-Key`, or is a push, which finds what
 * it wrote.
 */
function mayHelp({ headers = {} }: ClientRequest, error: BrandApiError): boolean {
  const { status = UNAVAILABLE, isFromService } = error;
  const isLost =
    status === UNAVAILABLE || (!isFromService && (status >= 500 || status === RATE_LIMITED));
  return isRateLimited(error) || (isLost && !('If-Match' in headers));
}

/** Whether the service has too many requests: the only retried error that proves that the request had no effect. */
function isRateLimited({ status, isFromService }: BrandApiError): boolean {
  return status === RATE_LIMITED && isFromService;
}

/** Returns the text of the service's error, of 5xx 500 or 503; undefined if the response is not one, or comes from a proxy. */
function ownError({ status, body }: ClientResponse): string | undefined {
  if (status < 400 || (status > 500 && status !== UNAVAILABLE)) return undefined;
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  // Other programs' errors have more members.
  const { error, ...more } = body;
  return typeof error === 'string' && Object.keys(more).length === 0 ? error : undefined;
}

/** How much is shown of what something else answers, in UTF-16 units. */
const LONGEST_TEXT = 200;

/** Returns the text of an error of what is in between. */
function foreignError({ status, headers, text }: ClientResponse): string {
  if (status < 400) {
    const target = headers.get('Location') ?? 'another address';
    return `The address redirects to ${target}. Use the address of the service itself.`;
  }
  if (status === 403 && /error.code\W{1,3}1010/.test(text)) return BLOCKED;
  return (
    shortened(text.trim(), LONGEST_TEXT) || `The response has the status ${status} and no text.`
  );
}
