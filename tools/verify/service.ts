import type { Answer } from './answer.ts';
import { described } from './answer.ts';
import type { Contract } from './contract.ts';
import { BASE } from './contract.ts';
import { problemsOfEveryAnswer } from './every-answer.ts';

/** How long to wait for a response, in milliseconds. */
const PATIENCE = 10_000;

/** The options of a request besides its path. */
export interface RequestOptions {
  readonly body?: unknown;
  /** A body that is sent unchanged. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A key other than the operator's; null for none. */
  readonly key?: string | null;
}

/** How to reach the service. */
export interface ServiceOptions {
  /** The address of the service, such as `https://api.example.com`. */
  readonly url: string;
  readonly apiKey: string;
  readonly contract: Contract;
  /**
   * After it aborts, no further request is sent. A request in progress is awaited, because what it creates must be
   * deleted.
   */
  readonly signal?: AbortSignal;
}

/** The deployed service. Every response is checked against the rules that apply to all responses. */
export class Service {
  readonly contract: Contract;
  readonly url: string;
  readonly apiKey: string;
  readonly #signal: AbortSignal | undefined;
  readonly #fail: (problem: string) => void;

  /** @param fail takes the problems of a response */
  constructor(options: ServiceOptions, fail: (problem: string) => void) {
    this.contract = options.contract;
    this.url = options.url;
    this.apiKey = options.apiKey;
    this.#signal = options.signal;
    this.#fail = fail;
  }

  /**
   * Sends a request to a path below `/api/brand/v1`.
   * @throws Error if there is no response, or the run was interrupted
   */
  async api(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const answer = await this.site(method, BASE + path, {
      ...options,
      headers: {
        Accept: 'application/json',
        ...(options.key !== null && { Authorization: `Bearer ${options.key ?? this.apiKey}` }),
        ...options.headers,
      },
    });
    for (const problem of this.contract.problemsOf(answer)) this.#fail(problem);
    for (const problem of problemsOfEveryAnswer(answer, this.contract)) this.#fail(problem);
    return answer;
  }

  /** Sends a request whose response must have this status. */
  async expect(
    status: number,
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const answer = await this.api(method, path, options);
    if (answer.status !== status) {
      throw new Error(`${described(answer)}, expected ${status}. ${excerpt(answer.text)}`);
    }
    return answer;
  }

  /** Sends a request to any path, without a key. */
  async site(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    if (this.#signal?.aborted) throw new Error('Interrupted.');
    const { body, rawBody = body === undefined ? undefined : JSON.stringify(body) } = options;
    const start = performance.now();
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
      headers: {
        ...(rawBody !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(rawBody !== undefined && { body: rawBody }),
    });
    const text = await response.text();
    const answer = {
      method,
      path,
      status: response.status,
      headers: response.headers,
      text,
      body: parsed(text),
      milliseconds: performance.now() - start,
    };
    if (holdsKey(answer)) this.#fail(`${described(answer)}: the response holds an API key`);
    return answer;
  }
}

/** Returns the beginning of a body, for a report. */
function excerpt(text: string): string {
  return text.slice(0, 200);
}

function holdsKey({ text, headers }: Answer): boolean {
  return [text, ...headers.values()].some((value) => /bik_[0-9A-Za-z]{40}/.test(value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
