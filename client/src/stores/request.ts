import { withoutSecrets } from '../../../common/terminal/printable.ts';
import { wait, within } from '../abort.ts';
import { retryAfter } from '../transport.ts';
import { networkReason } from './network-reason.ts';
import { Failure } from './failure.ts';

// Requests to a store are boring: HTTPS, nothing that is followed elsewhere, and a limit for everything.

/** How a store is asked, for all requests of a run. */
export interface StoreRequestOptions {
  /** How it is called in sentences: `The store at https://shop.example`. */
  readonly name: string;
  /** Texts that no message may show: what the store gave. The command knows those of the environment. */
  readonly secrets: readonly string[];
  /** Returns what to do if an address redirects: a sentence that names the right address. */
  readonly onRedirect: (target: URL) => string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

export interface StoreRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** Whether it may be sent again if its answer was lost; by default only a GET. */
  readonly isRepeatable?: boolean | undefined;
}

/** A complete answer, of whatever status but a redirect. */
export interface StoreAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const TRIES = 4;

/** The pause before the second try, in milliseconds. It doubles with each further try. */
const FIRST_PAUSE = 500;

/** The longest `Retry-After` that is waited for, in milliseconds. */
const LONGEST_PAUSE = 60_000;

/** The time limit of one answer, or of one piece of a stream, in milliseconds. A small host takes long for 100 products. */
const ANSWER_TIME = 120_000;

/** The time limit of a run, in milliseconds. */
const RUN_TIME = 4 * 60 * 60_000;

const MEGABYTE = 2 ** 20;

/** The size limits of an answer that is held in memory, in UTF-16 units, and of all that a run reads, in bytes. */
const ANSWER_SIZE = 64 * MEGABYTE;
const RUN_SIZE = 4096 * MEGABYTE;

const TOO_MANY = 429;
const UNAVAILABLE = 503;

/** Statuses that ask for patience. */
const BUSY: ReadonlySet<number> = new Set([TOO_MANY, UNAVAILABLE]);

/** Statuses of a server, or of a proxy before it, that may have lost its answer. */
const LOST: ReadonlySet<number> = new Set([500, 502, 504, 520, 521, 522, 523, 524]);

/** Sends requests to one store, and retries them if that may help. Its errors are sentences without secrets. */
export class StoreRequests {
  readonly #options: StoreRequestOptions;
  readonly #end = Date.now() + RUN_TIME;
  #size = 0;

  constructor(options: StoreRequestOptions) {
    this.#options = options;
  }

  /** @throws Failure if there is no complete answer, or a redirect; the reason of the signal */
  async send(request: StoreRequest): Promise<StoreAnswer> {
    const { response, text } = await this.#tried(request, async (each, signal) =>
      this.#textOf(each, signal),
    );
    return { status: response.status, headers: response.headers, text };
  }

  /**
   * Yields the text of an answer in pieces, without holding it.
   * @throws Failure if the status is not 2xx, or the answer is not complete; the reason of the signal
   */
  async *stream(request: StoreRequest): AsyncGenerator<string, void> {
    const { response } = await this.#tried(request, async () => Promise.resolve(''));
    try {
      if (!response.ok) throw this.unexpected(response);
      yield* this.#pieces(response, []);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      throw error instanceof Failure ? error : this.#incomplete(error);
    } finally {
      // It may have failed already.
      response.body?.cancel().catch(() => undefined);
    }
  }

  /** Returns an error about the store, without secrets. @param predicate what follows its name */
  failure(predicate: string): Failure {
    return new Failure(withoutSecrets(`${this.#options.name} ${predicate}`, this.#options.secrets));
  }

  /** Returns the error for a status that means the same at every store. */
  unexpected({ status, headers }: Pick<StoreAnswer, 'status' | 'headers'>): Failure {
    const minutes = Math.ceil(retryAfter(headers) / 60_000);
    const later = minutes > 1 ? `in ${minutes} minutes` : 'later';
    if (status === TOO_MANY) {
      return this.failure(`is asked too often (status ${status}). Run the command again ${later}.`);
    }
    if (status === UNAVAILABLE) {
      return this.failure(
        `is not available now (status ${status}), for example because it is in maintenance. Run the command again ${later}.`,
      );
    }
    if (status >= 500) {
      return this.failure(
        `has an error of its own (status ${status}), for example because its database is down. If it stays, tell who runs the store.`,
      );
    }
    return this.failure(`answered with the status ${status}, which is not expected.`);
  }

  #incomplete(error: unknown): Failure {
    return this.failure(`gave no complete answer. ${networkReason(error)}`);
  }

  /** Sends a request until its answer is worth having. */
  async #tried(
    request: StoreRequest,
    read: (response: Response, signal: AbortSignal) => Promise<string>,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    const { signal } = this.#options;
    const isRepeatable = request.isRepeatable ?? request.method === 'GET';
    for (let tried = 1; ; tried++) {
      const isLast = tried >= TRIES;
      const backOff = FIRST_PAUSE * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
      let pause = backOff;
      try {
        const answer = await this.#once(request, read);
        const { status, headers } = answer.response;
        pause = Math.max(backOff, retryAfter(headers));
        const mayHelp = BUSY.has(status) || (isRepeatable && LOST.has(status));
        if (!mayHelp || isLast || pause > LONGEST_PAUSE) return answer;
        await answer.response.body?.cancel().catch(() => undefined);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Failure) throw error;
        if (isLast || !isRepeatable) {
          throw this.#incomplete(error);
        }
      }
      this.#checkTime(pause);
      await wait(pause, [signal]);
    }
  }

  async #once(
    { method, url, headers, body }: StoreRequest,
    read: (response: Response, signal: AbortSignal) => Promise<string>,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    this.#checkTime();
    const exchange = async (
      ended: AbortSignal,
    ): Promise<{ readonly response: Response; readonly text: string }> => {
      const response = await this.#options.fetch(url, {
        method,
        redirect: 'manual',
        signal: ended,
        // Who runs a store sees it in its log, and some firewalls refuse the name that Node has.
        headers: new Headers({ 'User-Agent': 'brand-integration', ...headers }),
        ...(body !== undefined && { body }),
      });
      const { status } = response;
      if (status >= 300 && status < 400) {
        const target = response.headers.get('Location') ?? '';
        if (!URL.canParse(target, url.href)) throw this.failure('redirects to no address.');
        throw this.failure(
          `redirects elsewhere. ${this.#options.onRedirect(new URL(target, url.href))}`,
        );
      }
      return { response, text: await read(response, ended) };
    };
    return within(exchange, ANSWER_TIME, [this.#options.signal]);
  }

  async #textOf(response: Response, signal: AbortSignal): Promise<string> {
    const pieces: string[] = [];
    let length = 0;
    for await (const piece of this.#pieces(response, [signal])) {
      length += piece.length;
      if (length > ANSWER_SIZE) throw this.failure('sent an answer that is too large.');
      pieces.push(piece);
    }
    return pieces.join('');
  }

  async *#pieces(
    { body }: Response,
    signals: readonly AbortSignal[],
  ): AsyncGenerator<string, void> {
    const reader = body?.getReader();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const piece = await within(async () => reader?.read(), ANSWER_TIME, [
          this.#options.signal,
          ...signals,
        ]);
        if (piece?.value === undefined) break;
        this.#size += piece.value.byteLength;
        if (this.#size > RUN_SIZE) throw this.failure('sent more than can be read in one run.');
        yield decoder.decode(piece.value, { stream: true });
      }
      const rest = decoder.decode();
      if (rest !== '') yield rest;
    } finally {
      // It may have failed already.
      reader?.cancel().catch(() => undefined);
    }
  }

  /** @param pause what is waited before the next request, in milliseconds */
  #checkTime(pause = 0): void {
    if (Date.now() + pause > this.#end)
      throw this.failure('takes too long. Run the command again.');
  }
}

/** Whether a host is this machine, whose requests nobody else can read. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
