import { once } from 'node:events';
import type { Server } from 'node:http';

/** Takes what ends something. Of tests that run at once, it is that of the test's own context: Vitest's function knows one test at a time. */
export type WhenFinished = (end: () => void) => void;

/** Lets something end when the test ends, or as the caller says: what runs before all tests must not load Vitest. */
export async function endLater(end: () => void, whenFinished?: WhenFinished): Promise<void> {
  if (whenFinished !== undefined) whenFinished(end);
  else (await import('vitest')).onTestFinished(end);
}

/** Lets a server listen, by default until the test ends. Returns its address. */
export async function listening(server: Server, whenFinished?: WhenFinished): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await endLater(() => {
    server.close();
    server.closeAllConnections();
  }, whenFinished);
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return `http://127.0.0.1:${port}`;
}

/** Something that answers: over the network at its address, and without one to whoever is in this process. */
export interface Served {
  readonly url: string;
  /** Asks it if it is meant, and all others over the network. */
  readonly fetch: typeof fetch;
}

type Answer = (request: Request) => Response | Promise<Response>;

/** What a function answers at an address, to whoever has this `fetch`. */
export function answeredAt(url: string, answer: Answer): Served {
  return {
    url,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return request.url.startsWith(`${url}/`) ? answer(request) : fetch(request);
    },
  };
}

/** Serves what a function answers, by default until the test ends. */
export async function served(answer: Answer, whenFinished?: WhenFinished): Promise<Served> {
  // A Worker can answer too, but not listen.
  const { createServer } = await import('node:http');
  const { getRequestListener } = await import('@hono/node-server');
  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  const server = createServer((...exchange) => void listener(...exchange));
  return answeredAt(await listening(server, whenFinished), answer);
}

/** A body that breaks off after these bytes. */
export function cutAfter(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
    },
    pull(controller) {
      controller.error(new TypeError('terminated'));
    },
  });
}
