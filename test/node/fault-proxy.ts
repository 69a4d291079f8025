import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { freePort } from './processes.ts';

/** A request on its way to the service. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  search: string;
  body: string;
}

/** A response on its way back. */
export interface Returning {
  status: number;
  readonly headers: Headers;
  body: string;
}

/** Something that is wrong with a service. */
export interface Fault {
  /** Changes a request before the service sees it; what it returns is the response in the service's place. */
  readonly request?: (request: Passing) => Returning | undefined | Promise<Returning | undefined>;
  /** Changes a response. */
  readonly response?: (response: Returning, request: Passing) => void;
}

/** A server that passes everything on to a service, but for the fault that it has. */
export interface FaultProxy {
  readonly url: string;
  fault: Fault;
  /** The requests that came, such as `GET /docs`. */
  readonly seen: string[];
  readonly stop: () => void;
}

/** Puts a proxy before a service. */
export async function startFaultProxy(service: string): Promise<FaultProxy> {
  const port = await freePort();
  const pass = async (received: Request): Promise<Response> => {
    const url = new URL(received.url);
    const request: Passing = {
      method: received.method,
      path: url.pathname,
      headers: new Headers(received.headers),
      search: url.search,
      body: await received.text(),
    };
    proxy.seen.push(`${request.method} ${request.path}`);
    const { fault } = proxy;
    const response = (await fault.request?.(request)) ?? (await forward(service, request));
    fault.response?.(response, request);
    const isEmpty = [204, 304].includes(response.status);
    return new Response(isEmpty ? null : response.body, response);
  };
  const server = serve({
    fetch: new Hono().all('*', (c) => pass(c.req.raw)).fetch,
    port,
    hostname: '127.0.0.1',
  });
  await once(server, 'listening');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${port}`,
    fault: {},
    seen: [],
    stop: () => server.close(),
  };
  return proxy;
}

async function forward(
  service: string,
  { method, path, search, headers, body }: Passing,
): Promise<Returning> {
  const sent = new Headers(headers);
  for (const name of ['host', 'connection', 'content-length', 'accept-encoding']) sent.delete(name);
  const response = await fetch(service + path + search, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(body !== '' && { body }),
  });
  const returned = new Headers(response.headers);
  // The proxy has changed the body.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding'])
    returned.delete(name);
  return { status: response.status, headers: returned, body: await response.text() };
}
