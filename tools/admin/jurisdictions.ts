import * as z from 'zod';
import { runWrangler } from '../wrangler.ts';
import { AdminError } from './admin-error.ts';
import type { DatabaseTarget } from './database.ts';
import { explain } from './failures.ts';

// Where the data of a database must stay: one of Cloudflare's jurisdictions, chosen when the database was created, or none.

/** The jurisdictions of databases by their numbers. Databases on this machine have none. */
export type Jurisdictions = ReadonlyMap<number, string>;

/** `wrangler d1 info` would say it too, but needs a permission for analytics, and a call for each database. */
const listed = z.array(z.object({ uuid: z.string(), jurisdiction: z.nullish(z.string()) }));

/**
 * Reads the jurisdictions of the databases of an environment.
 * @throws AdminError if wrangler fails
 */
export async function readJurisdictions(
  { env = '', remote }: DatabaseTarget,
  databases: readonly { readonly number: number; readonly id: string | undefined }[],
): Promise<Jurisdictions> {
  if (!remote) return new Map();
  const { code, stdout, stderr } = await runWrangler(['d1', 'list', '--json', `--env=${env}`]);
  if (code !== 0) {
    throw new AdminError(explain(stderr + stdout, { flags: '--remote', env }).reason);
  }
  const all = listed.parse(JSON.parse(stdout));
  return new Map(
    databases.flatMap(({ number, id }) => {
      const jurisdiction = all.find(({ uuid }) => uuid === id)?.jurisdiction ?? undefined;
      return jurisdiction === undefined ? [] : [[number, jurisdiction] as const];
    }),
  );
}
