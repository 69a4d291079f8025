import autocannon from 'autocannon';
import * as z from 'zod';
import { COUNTERS } from './workers/instrument.ts';

/** A request to send. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, including the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const get = (path: string, headers = {}): Call => ({ method: 'GET', path, headers });
export const remove = (path: string): Call => ({ method: 'DELETE', path });
export const post = (path: string, body: unknown, headers = {}): Call => ({
  ...{ method: 'POST', path, body, headers },
});
export const patch = (path: string, body: unknown, headers = {}): Call => ({
  ...{ method: 'PATCH', path, body, headers },
});

/** The path of the products. */
export const PRODUCTS = '/api/brand/v1/products';

function rawRequest(apiKey: string, { method, body, headers }: Call) {
  return {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** Sends a request. The body of the response is not read yet. */
export function send(port: number, apiKey: string, call: Call): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${call.path}`, rawRequest(apiKey, call));
}

/** The response to a request is an error. */
export class RefusedError extends Error {}

/**
 * Sends a request and reads the JSON of its response.
 * @throws RefusedError if the response is an error
 */
export async function ask<T>(
  port: number,
  apiKey: string,
  call: Call,
  shape: z.ZodType<T>,
): Promise<{ body: T; headers: Headers }> {
  const response = await send(port, apiKey, call);
  const text = await response.text();
  if (!response.ok) throw new RefusedError(`${call.path}: ${response.status} ${text}`);
  return { body: shape.parse(JSON.parse(text)), headers: response.headers };
}

/** A response, and how long it took. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly etag: string;
  readonly milliseconds: number;
}

/** One of the requests that a connection sends in sequence. All steps of one sequence get the same round object. */
export interface Step {
  readonly call: (round: object) => readonly [apiKey: string, call: Call];
  readonly answered: (answer: Answer, round: object) => void;
}

/**
 * Repeats the steps: each connection sends a request when it has the response to the previous one.
 * @throws Error if a request has no response
 */
export async function loop(
  port: number,
  limits: Pick<autocannon.Options, 'connections' | 'amount' | 'duration'>,
  steps: readonly Step[],
): Promise<void> {
  const sent = new WeakMap<object, number>();
  const requests = steps.map(({ call, answered }): autocannon.Request => ({
    setupRequest: (request, round) => {
      const [apiKey, next] = call(round);
      sent.set(round, performance.now());
      return { ...request, path: next.path, ...rawRequest(apiKey, next) };
    },
    onResponse: (status, text, round, raw = {}) => {
      const milliseconds = performance.now() - (sent.get(round) ?? NaN);
      const etag = String(raw['ETag'] ?? '');
      answered({ status, text, etag, milliseconds }, round);
    },
  }));
  const url = `http://127.0.0.1:${port}`;
  const { errors } = await autocannon({ ...limits, url, requests, sampleInt: 10 });
  if (errors > 0) throw new Error(`${errors} requests had no response.`);
}

/**
 * Sends this many requests in the same way.
 * @returns the milliseconds that each request took
 * @throws RefusedError if a response is an error
 */
export async function times(
  port: number,
  apiKey: string,
  limits: { readonly amount: number; readonly connections: number },
  call: (number: number) => Call,
): Promise<number[]> {
  const took: number[] = [];
  const refused: string[] = [];
  let number = 0;
  await loop(port, limits, [
    {
      call: () => [apiKey, call(number++)],
      answered: ({ status, text, milliseconds }) => {
        if (status < 300) took.push(milliseconds);
        else refused.push(`${status} ${text}`);
      },
    },
  ]);
  if (refused.length > 0) throw new RefusedError(`${call(0).path}: ${refused[0] ?? ''}`);
  return took;
}

const counters = z.object({
  ...{ requests: z.number(), calls: z.number(), rowsRead: z.number(), rowsWritten: z.number() },
});

/**
 * Counts the requests to a Worker, and its calls to D1, while something runs.
 * @param port the Worker's distant port
 */
export async function counted(
  port: number,
  work: () => Promise<unknown>,
): Promise<z.infer<typeof counters>> {
  await ask(port, '', get(COUNTERS), counters);
  await work();
  return (await ask(port, '', get(COUNTERS), counters)).body;
}
