import { inject } from 'vitest';
import * as z from 'zod';
import type { Server } from './server.ts';

const answered = z.object({ port: z.int(), apiKey: z.string() });

/**
 * Returns the server that test files share, with an unused brand. The first call starts it, and it is stopped after the
 * last test; `stop` does nothing here.
 * @throws Error if it does not start
 */
export async function shareServer(): Promise<Server> {
  const { port, apiKey } = await ask();
  return {
    port,
    apiKey,
    newBrand: async () => (await ask()).apiKey,
    stop: () => Promise.resolve(),
  };
}

/** Requests a brand, and returns its key and the server's port. */
async function ask(): Promise<z.infer<typeof answered>> {
  const response = await fetch(inject('brandPool'));
  if (!response.ok) throw new Error(await response.text());
  return answered.parse(await response.json());
}
