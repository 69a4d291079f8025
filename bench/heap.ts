import { once } from 'node:events';
import * as z from 'zod';

const answer = z.object({
  id: z.number(),
  result: z.optional(z.object({ usedSize: z.optional(z.number()) })),
});

const isolates = z.array(z.object({ webSocketDebuggerUrl: z.string() }));

/**
 * Has every isolate of a workerd collect what it does not need: the service's, and those of its D1 and rate limiter.
 * @param url of the inspector of one of them
 */
export async function collectAll(url: string): Promise<void> {
  const list = new URL('/json', url.replace(/^ws/, 'http'));
  for (const { webSocketDebuggerUrl } of isolates.parse(await (await fetch(list)).json())) {
    await liveHeap(webSocketDebuggerUrl);
  }
}

/**
 * What is alive in the JavaScript heap of an isolate, in MiB: what the collector leaves when it has done all that it can.
 * @param url of the isolate's inspector
 */
export async function liveHeap(url: string): Promise<number> {
  const socket = new WebSocket(url);
  const answers = new Map<number, (usedSize: number) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { success, data: read } = answer.safeParse(JSON.parse(String(data)));
    // The snapshot itself comes in messages without an id.
    if (success) answers.get(read.id)?.(read.result?.usedSize ?? 0);
  });
  const ask = (id: number, method: string): Promise<number> =>
    new Promise((resolve) => {
      answers.set(id, resolve);
      socket.send(JSON.stringify({ id, method }));
    });
  try {
    await once(socket, 'open');
    // workerd does not collect when it is asked to; but it does so before it takes a snapshot.
    await ask(1, 'HeapProfiler.enable');
    await ask(2, 'HeapProfiler.takeHeapSnapshot');
    return (await ask(3, 'Runtime.getHeapUsage')) / 2 ** 20;
  } finally {
    socket.close();
  }
}
