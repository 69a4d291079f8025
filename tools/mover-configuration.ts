import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import { numbersIn } from '../src/db/databases.ts';
import { moverOf } from './mover-name.ts';
import { ROOT } from './wrangler.ts';

// The mover's Worker has no configuration of its own: it is made from wrangler.toml, so that no database is written down
// twice.

/** Git ignores this folder. */
const FOLDER = join(ROOT, '.wrangler/mover');

/** Once a minute. */
const SCHEDULE = '* * * * *';

/** The parts of `wrangler.toml` that it takes over. */
const taken = z.object({
  name: z.string(),
  account_id: z.string().optional(),
  compatibility_date: z.string(),
  observability: z.unknown(),
  d1_databases: z.array(z.looseObject({ binding: z.string() })),
});

/**
 * Writes the configuration of the mover's Worker.
 * @param env the environment in `wrangler.toml`; empty for its top level
 * @param config the file `wrangler.toml`
 * @returns the file
 */
export async function writeMoverConfiguration(
  env: string,
  config = join(ROOT, 'wrangler.toml'),
  file = join(FOLDER, `${env === '' ? 'default' : env}.json`),
): Promise<string> {
  const read: unknown = unstable_readConfig({ config, env }, { hideWarnings: true });
  const { name: api, d1_databases, ...same } = taken.parse(read);
  const name = moverOf(api);
  const configuration = {
    ...{ ...same, name, main: join(ROOT, 'mover/worker.ts') },
    // It serves no requests.
    workers_dev: false,
    d1_databases: d1_databases.filter(({ binding }) => numbersIn([binding]).length > 0),
    workflows: [{ binding: 'MOVES', name, class_name: 'BrandMove' }],
    triggers: { crons: [SCHEDULE] },
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(configuration, null, 2));
  return file;
}
