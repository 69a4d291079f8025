import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { proxy } from 'hono/proxy';
import { freePort } from './processes.ts';

/** Sends a request on to the service. */
type Pass = (request: Request) => Promise<Response>;

/** What is wrong with a service: how it answers a request, or what it changes of it or of the response. */
export type Fault = (request: Request, pass: Pass) => Response | Promise<Response>;

/** A server that passes everything on to a service, but for the fault that it has. */
export interface FaultProxy {
  readonly url: string;
  fault: Fault;
  /** The requests that came, such as `GET /docs`. */
  readonly seen: string[];
  readonly stop: () => void;
}

/** What a service without a fault does. */
export const NO_FAULT: Fault = (request, pass) => pass(request);

/** Puts a proxy before a service. */
export async function startFaultProxy(service: string): Promise<FaultProxy> {
  const pass: Pass = async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    // A fault may have changed the body.
    for (const name of ['host', 'connection', 'content-length']) headers.delete(name);
    const [{ method }, body] = [request, await request.text()];
    return proxy(service + pathname + search, { method, headers, ...(body !== '' && { body }) });
  };
  const port = await freePort();
  const made: FaultProxy = {
    url: `http://127.0.0.1:${port}`,
    fault: NO_FAULT,
    seen: [],
    stop: () => server.close(),
  };
  const fetch = async (request: Request): Promise<Response> => {
    made.seen.push(`${request.method} ${new URL(request.url).pathname}`);
    return made.fault(new Request(request), pass);
  };
  const server = serve({ fetch, port, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return made;
}
