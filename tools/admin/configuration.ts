import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { numbersIn } from '../../src/db/databases.ts';
import { ROOT } from '../wrangler.ts';
import { AdminError } from './admin-error.ts';
import type { DatabaseTarget } from './database.ts';
import type { Jurisdictions } from './jurisdictions.ts';
import { readJurisdictions } from './jurisdictions.ts';

/** The file that says which databases there are. */
export const CONFIGURATION = join(ROOT, 'wrangler.toml');

/** A database of the configuration. */
export interface ConfiguredDatabase {
  readonly number: number;
  readonly name: string;
  /** Undefined, or zeros, until somebody has created it. */
  readonly id: string | undefined;
}

/** What the admin tool knows of the databases. */
export interface Configuration {
  /** Whether any environment has several: then commands have options for them. */
  readonly hasSeveral: () => boolean;
  /** Returns the numbers of the databases of an environment, in ascending order. */
  readonly numbers: (target: DatabaseTarget) => Promise<readonly number[]>;
  /** Returns the databases of an environment, in the order of their numbers. */
  readonly databases: (target: DatabaseTarget) => Promise<readonly ConfiguredDatabase[]>;
  /** Returns the jurisdictions of the databases of an environment. */
  readonly jurisdictions: (target: DatabaseTarget) => Promise<Jurisdictions>;
}

const schema = z.object({
  d1_databases: z.array(
    z.object({
      binding: z.string(),
      database_name: z.string().default(''),
      database_id: z.string().optional(),
    }),
  ),
});

/** The configuration in `wrangler.toml`. */
export const configured: Configuration = {
  hasSeveral: () => /\bDB_[1-9]/.test(readFileSync(CONFIGURATION, 'utf8')),
  numbers: async (target) =>
    // Loading wrangler, which understands the file, takes longer than the rest of a command.
    configured.hasSeveral()
      ? (await configured.databases(target)).map(({ number }) => number)
      : [0],
  databases: async (target) => databasesIn(await read(target)),
  jurisdictions: async (target) => readJurisdictions(target, await configured.databases(target)),
};

/** @throws AdminError if wrangler refuses the configuration */
async function read({ env = '' }: DatabaseTarget): Promise<z.infer<typeof schema>> {
  const { unstable_readConfig } = await import('wrangler');
  try {
    return schema.parse(
      unstable_readConfig({ config: CONFIGURATION, env }, { hideWarnings: true }),
    );
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [reason = ''] = error.message.split('\n');
    throw new AdminError(`wrangler refuses wrangler.toml: ${reason}`);
  }
}

function databasesIn({ d1_databases }: z.infer<typeof schema>): ConfiguredDatabase[] {
  const found = d1_databases.flatMap((database) =>
    numbersIn([database.binding]).map((number) => ({
      number,
      name: database.database_name,
      id: database.database_id,
    })),
  );
  return found.sort((one, other) => one.number - other.number);
}
