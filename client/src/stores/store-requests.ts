import { within } from '../abort.ts';
import type { Again } from '../retry.ts';
import { retry, retryAfter } from '../retry.ts';
import type { MeasuredJson } from './memory.ts';
import { measuredJson } from './memory.ts';
import { Failure } from '../../../common/failure.ts';
import { networkReason } from './network-reason.ts';
import type { Secrets } from './secrets.ts';
import { shortened } from '../../../common/terminal/printable.ts';

// Requests to a store are boring: HTTPS, nothing that is followed elsewhere, and a limit for everything. They only read, so that
// each may be sent again.

/** What a reader of a store passes on. */
export interface RequestContext {
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  readonly signal: AbortSignal;
  /** Called before each pause, with its milliseconds. */
  readonly onPause?: ((pause: number) => void) | undefined;
  /** What no message may show. A store adds its own. */
  readonly secrets: Secrets;
  /** How much memory what the store sends may take, in bytes; by default a gigabyte. */
  readonly memory?: number | undefined;
}

/** How a store is asked, for all requests of a run. */
export interface StoreRequestOptions extends RequestContext {
  /** How it is called in sentences: `The store at https://shop.example`. */
  readonly name: string;
  /** Returns what to do if an address redirects: a sentence that names the right address. */
  readonly onRedirect: (target: URL) => string;
  /** Returns what follows the name for 401 and 403: which variable to check, or which permission to give. */
  readonly onDenied: (answer: StoreAnswer) => string;
  /** Returns why an answer is to be asked for again, if its status does not say so: `busy` asks for patience, `lost` is wrong. */
  readonly judge?: ((answer: StoreAnswer) => 'busy' | 'lost' | undefined) | undefined;
  /** Returns how long to wait before the next try, in milliseconds, if the store says it in another way than `Retry-After`. */
  readonly pauseOf?: ((answer: StoreAnswer) => number | undefined) | undefined;
}

interface StoreRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** How often its answer may be lost, if that is not the usual number. */
  readonly tries?: number | undefined;
}

/** A complete answer, of whatever status but a redirect. */
export interface StoreAnswer extends MeasuredJson {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** There was no answer, or one that was too large: less may be asked for. */
export class Overload extends Failure {}

/** There was no answer, or not the whole of it: the same may be asked for again. */
export class Incomplete extends Overload {}

/** An answer that the same question may not have later. */
class PassingAnswer extends Error {
  readonly answer: StoreAnswer;
  readonly again: Again;

  constructor(answer: StoreAnswer, again: Again) {
    super();
    this.answer = answer;
    this.again = again;
  }
}

const TRIES = 4;

/** The pauses before further tries, in milliseconds. Many limits are by the minute. */
const PAUSES = { pauses: [500, 30_000], patience: 120_000 } as const;

/** The time limit of one answer, or of one piece of a file, in milliseconds. A small host takes long for 100 products. */
const ANSWER_TIME = 120_000;

/** The time limit of a whole file, with all tries, in milliseconds. */
const FILE_TIME = 60 * 60_000;

/** The time limit of a run, in milliseconds. */
const RUN_TIME = 4 * 60 * 60_000;

/** How much of a text is looked at for its beginning, in UTF-16 units. */
const LOOKED_AT = 10_000;

/** The size limit of the answers that are being read, in UTF-16 units. */
const ANSWER_SIZE = 32 * 2 ** 20;

/** What may give a status that asks for no other address, such as 304, to who has nothing in a cache. */
const CACHE =
  'A cache in between may do that: ask who runs the store to exclude the address of its API from it.';

/** What sets a cookie, and sends everybody to the page that they came from. */
const BROWSERS_ONLY =
  'A firewall, or its host, may want to see a browser: ask who runs the store to let requests to its API pass.';

const TOO_MANY = 429;
const UNAVAILABLE = 503;

/** Why a status is asked for again: it asks for patience, or a server, or a proxy before it, may have lost its answer. */
const RETRIED: ReadonlyMap<number, 'busy' | 'lost'> = new Map([
  ...[TOO_MANY, UNAVAILABLE].map((status) => [status, 'busy'] as const),
  ...[500, 502, 504, 520, 521, 522, 523, 524].map((status) => [status, 'lost'] as const),
]);

/** Sends requests to one store, and sends them again if that may help. Its errors are sentences without secrets. */
export class StoreRequests {
  readonly #options: StoreRequestOptions;
  readonly #end = Date.now() + RUN_TIME;
  /** The length of the answers that have not come to their end. */
  #unfinished = 0;

  constructor(options: StoreRequestOptions) {
    this.#options = options;
  }

  /** @throws Overload if there is no complete answer; Failure, such as for a redirect; the reason of the signal */
  async send(request: StoreRequest): Promise<StoreAnswer> {
    return this.#tried(request, async () =>
      this.#inTime(async (ended) => this.#answerIn(await this.#open(request, ended))),
    );
  }

  /**
   * Reads a file in pieces, without holding it.
   * @param take reads the pieces from the first one on, again if they broke off; if it throws, they are not what they should be
   * @throws Failure if the status is not 2xx, or the file is not complete; the reason of the signal
   */
  async read(
    request: StoreRequest,
    take: (pieces: AsyncIterable<string>) => Promise<void>,
  ): Promise<void> {
    const end = Date.now() + FILE_TIME;
    const refusal = await this.#tried(request, async () => {
      const response = await this.#inTime((ended) => this.#open(request, ended));
      if (!response.ok) return this.#inTime(() => this.#answerIn(response));
      await take(this.#pieces(response, end));
      return undefined;
    });
    if (refusal !== undefined) throw this.unexpected(refusal);
  }

  /** Returns an error about the store, without secrets. @param predicate what follows its name */
  failure(predicate: string): Failure {
    return new Failure(this.#sentence(predicate));
  }

  /** The same for an error that a smaller question may avoid. */
  overload(predicate: string): Overload {
    return new Overload(this.#sentence(predicate));
  }

  /** Returns the beginning of a text of the store, on one line and without secrets. @param longest in UTF-16 units */
  excerpt(text: string, longest: number): string {
    const line = text.slice(0, LOOKED_AT).replace(/\s+/g, ' ').trim();
    return shortened(this.#options.secrets.hide(line), longest);
  }

  /** Returns the error for a status that means the same at every store. */
  unexpected(answer: StoreAnswer): Failure {
    const { status } = answer;
    const minutes = Math.ceil(this.#pauseAfter(answer) / 60_000);
    const later = minutes > 1 ? `in ${minutes} minutes` : 'later';
    if (status === TOO_MANY) {
      return this.failure(`is asked too often (status ${status}). Run the command again ${later}.`);
    }
    if (status === UNAVAILABLE) {
      return this.failure(
        `is not available now (status ${status}), for example because it is in maintenance. Run the command again ${later}.`,
      );
    }
    if (status === 401 || status === 403) return this.failure(this.#options.onDenied(answer));
    if (status >= 500) {
      return this.overload(
        `has an error of its own (status ${status}), for example because its database is down. If it stays, tell who runs the store.`,
      );
    }
    return this.failure(`answered with the status ${status}, which is not expected.`);
  }

  #sentence(predicate: string): string {
    return this.#options.secrets.hide(`${this.#options.name} ${predicate}`);
  }

  #pauseAfter(answer: StoreAnswer): number {
    return this.#options.pauseOf?.(answer) ?? retryAfter(answer.headers);
  }

  /** Asks until there is no use in it. @returns the last answer; undefined if a file was read @throws as the last try */
  async #tried<T extends StoreAnswer | undefined>(
    { tries = TRIES }: StoreRequest,
    attempt: () => Promise<T>,
  ): Promise<T | StoreAnswer> {
    const { signal, onPause, judge } = this.#options;
    const once = async (): Promise<T> => {
      if (Date.now() > this.#end) throw this.failure('takes too long. Run the command again.');
      const answer = await attempt().catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof Failure) throw error;
        throw new Incomplete(this.#sentence(`gave no complete answer. ${networkReason(error)}`));
      });
      const again = answer && (RETRIED.get(answer.status) ?? judge?.(answer));
      if (answer === undefined || again === undefined) return answer;
      const retryAfter = this.#pauseAfter(answer);
      throw new PassingAnswer(answer, { isBusy: again === 'busy', retryAfter });
    };
    const mayHelp = (error: unknown): Again | false =>
      error instanceof PassingAnswer ? error.again : error instanceof Incomplete && {};
    try {
      return await retry(once, mayHelp, { ...PAUSES, tries, signals: [signal], onPause });
    } catch (error) {
      if (error instanceof PassingAnswer) return error.answer;
      throw error;
    }
  }

  #inTime<T>(work: (ended: AbortSignal) => Promise<T>, time = ANSWER_TIME): Promise<T> {
    return within(work, time, [this.#options.signal]);
  }

  async #open(
    { method, url, headers, body }: StoreRequest,
    signal: AbortSignal,
  ): Promise<Response> {
    if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
      throw this.failure('is asked over plain HTTP, so others could read the key. Use https.');
    }
    // As a function: a Worker refuses to call its own as a method of something else.
    const { fetch: send = fetch } = this.#options;
    const response = await send(url, {
      method,
      redirect: 'manual',
      signal,
      headers: new Headers({
        // Who runs a store sees it in its log, and some firewalls refuse the name that Node has.
        'User-Agent': 'brand-integration',
        // Some hosts cache the answers of the API, and would give the prices of yesterday.
        'Cache-Control': 'no-cache',
        ...headers,
      }),
      ...(body !== undefined && { body }),
    });
    const { status } = response;
    if (status < 300 || status >= 400) return response;
    const target = response.headers.get('Location');
    if (target === null || !URL.canParse(target, url.href)) {
      throw this.failure(`answered with the status ${status} in place of an answer. ${CACHE}`);
    }
    const { href } = new URL(target, url.href);
    if (href === url.href) {
      throw this.failure(`redirects to the same address (status ${status}). ${BROWSERS_ONLY}`);
    }
    throw this.failure(`redirects elsewhere. ${this.#options.onRedirect(new URL(href))}`);
  }

  async #answerIn(response: Response): Promise<StoreAnswer> {
    const pieces: string[] = [];
    let length = 0;
    try {
      for await (const piece of this.#pieces(response, Infinity)) {
        length += piece.length;
        this.#unfinished += piece.length;
        pieces.push(piece);
        if (this.#unfinished <= ANSWER_SIZE) continue;
        if (response.ok) throw this.overload('sent an answer that is too large.');
        // Of an error, only the status counts, and what its beginning says.
        break;
      }
    } finally {
      this.#unfinished -= length;
    }
    const text = pieces.join('');
    const { status, headers } = response;
    return { status, headers, text, ...this.#jsonIn(text, response) };
  }

  #jsonIn(text: string, { ok }: Response): MeasuredJson {
    try {
      return measuredJson(text, { failure: (predicate) => this.overload(predicate) });
    } catch (error) {
      if (ok) throw error;
      return { json: undefined, bytes: text.length };
    }
  }

  /** @param end when all of them must be there, in milliseconds since 1970 */
  async *#pieces({ body, ok }: Response, end: number): AsyncGenerator<string, void> {
    const reader = body?.getReader();
    // Of an error, only the status counts.
    const decoder = new TextDecoder('utf-8', { fatal: ok });
    const decoded = (bytes?: Uint8Array): string => {
      try {
        return decoder.decode(bytes, { stream: bytes !== undefined });
      } catch {
        throw this.failure(
          'answered with bytes that are not UTF-8, so letters would be lost. A plugin, or the settings of the web server or of the database, give another encoding, such as ISO-8859-1.',
        );
      }
    };
    try {
      for (;;) {
        const time = Math.min(ANSWER_TIME, end - Date.now());
        if (time <= 0) throw this.failure('sends a file for too long. Run the command again.');
        const piece = await this.#inTime(async () => reader?.read(), time);
        if (piece?.value === undefined) break;
        yield decoded(piece.value);
      }
      yield decoded();
    } finally {
      // It may have failed already.
      reader?.cancel().catch(() => undefined);
    }
  }
}

/**
 * Whether a host is this machine, whose requests nobody else can read. `bin/brand-integration.js` keeps the same names from
 * a proxy, which knows no ranges such as 127.0.0.0/8.
 */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
