import * as z from 'zod';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, including the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const get = (path: string): Call => ({ method: 'GET', path });
export const remove = (path: string): Call => ({ method: 'DELETE', path });
export const patch = (path: string, body: unknown): Call => ({ method: 'PATCH', path, body });
export const post = (path: string, body: unknown, headers = {}): Call => ({
  method: 'POST',
  path,
  body,
  headers,
});

export const PRODUCTS = '/api/brand/v1/products';
/** The path that returns the counters of a distant Worker, and resets them. */
const COUNTERS = '/counters';

/**
 * Sends a request. The body of the response is not read yet.
 * @throws Error if the response is an error
 */
export async function send(port: number, apiKey: string, call: Call): Promise<Response> {
  const { method, path, body, headers } = call;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

/**
 * Reads a body without keeping it. To join one of 100 MB would hold this process up for so long that it does not notice
 * when a connection is closed.
 */
export async function drain({ body }: Response): Promise<void> {
  await body?.pipeTo(new WritableStream());
}

/**
 * Sends a request and reads the JSON of its response.
 * @throws Error if the response is an error
 */
export async function ask<T>(
  port: number,
  apiKey: string,
  call: Call,
  shape: z.ZodType<T>,
): Promise<{ body: T; headers: Headers }> {
  const response = await send(port, apiKey, call);
  const text = await response.text();
  return {
    body: shape.parse(text === '' ? undefined : JSON.parse(text)),
    headers: response.headers,
  };
}

/**
 * Sends this many requests. Each connection sends the next one when it has read the response to its last.
 * @returns the milliseconds that each request took
 * @throws Error if a response is an error
 */
export async function times(
  port: number,
  apiKey: string,
  { amount, connections }: { readonly amount: number; readonly connections: number },
  call: (number: number) => Call,
): Promise<number[]> {
  const took: number[] = [];
  let sent = 0;
  const connection = async (): Promise<void> => {
    while (sent < amount) {
      const next = call(sent++);
      const start = performance.now();
      await drain(await send(port, apiKey, next));
      took.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return took;
}

const counters = z.object({
  requests: z.number(),
  calls: z.number(),
  rowsRead: z.number(),
  rowsWritten: z.number(),
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
