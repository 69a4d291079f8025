import type { Edge } from './edge.ts';
import { startEdge } from './edge.ts';
import type { PlainRequest, PlainResponse } from './plain-request.ts';
import { sendPlain } from './plain-request.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

/** The service with the edge before it. */
export interface BehindEdge {
  readonly server: SharedServer;
  readonly edge: Edge;
  /** Sends a request through the edge, with the key of the server's brand. It accepts gzip unless told otherwise. */
  readonly send: Send;
  readonly stop: () => Promise<void>;
}

/** Sends one request. */
export type Send = (
  method: string,
  path: string,
  options?: Omit<PlainRequest, 'method' | 'path'>,
) => Promise<PlainResponse>;

/** Starts the service and the edge. */
export async function startBehindEdge(): Promise<BehindEdge> {
  const server = await shareServer();
  const edge = await startEdge({ upstream: `http://127.0.0.1:${server.port}` });
  const stop = async (): Promise<void> => {
    await edge.close();
    await server.stop();
  };
  return { server, edge, send: sender(edge.url, server.apiKey), stop };
}

/** Sends requests with a key. */
export function sender(url: string, apiKey: string): Send {
  return (method, path, options = {}) => {
    const own = { Authorization: `Bearer ${apiKey}`, 'Accept-Encoding': 'gzip' };
    return sendPlain(url, { ...options, method, path, headers: { ...own, ...options.headers } });
  };
}

/** The entity tag of a response. */
export function tagOf({ headers }: PlainResponse): string {
  return headers.get('ETag') ?? 'none';
}
