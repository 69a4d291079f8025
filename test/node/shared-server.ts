import { inject } from 'vitest';
import * as z from 'zod';
import type { Server } from './server.ts';

const answered = z.object({ port: z.int(), apiKey: z.string() });

/**
 * The server that all files share which need nothing of their own, with a brand for the caller alone. It is started for
 * the first that asks, and stopped after the last test; to stop it here does nothing.
 * @throws Error where it does not start
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

/** Asks for a brand, and gives its key with the port of the server. */
async function ask(): Promise<z.infer<typeof answered>> {
  const response = await fetch(inject('brandStock'));
  if (!response.ok) throw new Error(await response.text());
  return answered.parse(await response.json());
}
