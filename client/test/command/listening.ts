import { once } from 'node:events';
import type { Server } from 'node:http';
import { onTestFinished } from 'vitest';

/** Takes what ends something. Of tests that run at once, it is that of the test's own context: Vitest's function knows one test at a time. */
export type WhenFinished = (end: () => void) => void;

/** Lets a server listen until the test ends. Returns its address. */
export async function listening(
  server: Server,
  whenFinished: WhenFinished = onTestFinished,
): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return `http://127.0.0.1:${port}`;
}
