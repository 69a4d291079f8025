import { filledFolder } from './pool.ts';
import type { OwnServer } from './server.ts';
import { serve } from './server.ts';

/**
 * Serves a new database with a brand, and the static assets, to one test file. For most `shareServer` is enough.
 * @param main the Worker's module, from the project's folder, if it is not the service's own
 */
export async function startServer(...main: readonly string[]): Promise<OwnServer> {
  const { path, apiKey } = await filledFolder();
  return { ...(await serve(path, ...main)), apiKey };
}
