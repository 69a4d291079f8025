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
