import * as z from 'zod';

/** How long to wait for a response, in milliseconds. */
const PATIENCE = 10_000;

/** A complete response. */
export interface Answer {
  readonly headers: Headers;
  readonly text: string;
}

/** The options of a request. */
export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The deployed service, as a client reaches it. */
export class Service {
  readonly url: string;
  readonly #apiKey: string;
  readonly #signal: AbortSignal | undefined;

  /**
   * @param url the address of the service, such as `https://api.example.com`
   * @param signal after it aborts, no further request is sent. A request in progress is awaited, because what it creates
   *   must be deleted.
   */
  constructor(url: string, apiKey: string, signal?: AbortSignal) {
    this.url = url;
    this.#apiKey = apiKey;
    this.#signal = signal;
  }

  /**
   * Sends a request with the operator's key to a path below `/api/brand/v1`.
   * @throws Error if the response does not come, or has another status
   */
  api(status: number, method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const headers = { Authorization: `Bearer ${this.#apiKey}`, ...options.headers };
    return this.send(status, method, `/api/brand/v1${path}`, { ...options, headers });
  }

  /** Sends a request to any path, without a key. Throws as `api` does. */
  async send(
    status: number,
    method: string,
    path: string,
    { body, headers }: RequestOptions = {},
  ): Promise<Answer> {
    if (this.#signal?.aborted) throw new Error('Interrupted.');
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== status) {
      const found = `${response.status} instead of ${status}. ${text.slice(0, 200)}`;
      throw new Error(`${method} ${path} answered ${found}`);
    }
    return { headers: response.headers, text };
  }
}

const resource = z.looseObject({ id: z.string() });
const envelope = z.record(z.string(), resource);
const listEnvelope = z.record(z.string(), z.array(resource));

/** A resource in a response, by the names of its fields. */
export type Resource = z.infer<typeof resource>;

/** Returns the resource in a response. */
export function resourceIn({ text }: Answer, one: string): Resource {
  const found = envelope.parse(JSON.parse(text))[one];
  if (found === undefined) throw new Error(`The response has no ${one}.`);
  return found;
}

/** Returns the resources in the response to a list. */
export function resourcesIn({ text }: Answer, many: string): Resource[] {
  const found = listEnvelope.parse(JSON.parse(text))[many];
  if (found === undefined) throw new Error(`The response has no ${many}.`);
  return found;
}

/** Returns the tag of a response as it arrived: weak if it was compressed on the way. */
export function tagOf({ headers }: Answer): string {
  const tag = headers.get('ETag');
  if (tag === null) throw new Error('The response has no ETag.');
  return tag;
}
