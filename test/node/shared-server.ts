import { takeBrand } from './pool.ts';
import type { Server } from './server.ts';

/**
 * Returns the server that test files share, with a new brand. It answers below `/api` only. The first call starts it, and
 * it is stopped after the last test; `stop` does nothing here.
 * @throws Error if it does not start
 */
export async function shareServer(): Promise<SharedServer> {
  return {
    ...(await takeBrand()),
    newBrand: async () => (await takeBrand()).apiKey,
    stop: () => Promise.resolve(),
  };
}

/** A server that test files share. */
export interface SharedServer extends Server {
  /** Creates another brand and returns its key. */
  readonly newBrand: () => Promise<string>;
}
