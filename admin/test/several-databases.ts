import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bindingOf } from '../../src/db/databases.ts';
import type { Configuration } from '../src/database/configuration.ts';
import type { DatabaseOpener } from '../src/home/databases.ts';
import type { AdminHere } from './admin-here.ts';
import { jsonOf, runHere } from './admin-here.ts';
import { openDatabasesHere } from './databases-here.ts';
import { usableElsewhere } from '../../test/node/configuration.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { temporaryFolder } from '../../test/node/processes.ts';
import { migrate } from '../../test/node/workerd.ts';

/** The admin tool in this process, on several local databases. */
export interface AdminOfSeveral extends Omit<AdminHere, 'database' | 'path'> {
  readonly open: DatabaseOpener;
  readonly configuration: Configuration;
  readonly folder: TemporaryFolder;
  /** Their jurisdictions, as Cloudflare would report them. */
  readonly jurisdictions: Map<number, string>;
  /** The address of the service on them, if it was asked for. */
  readonly url: string;
}

/** Creates several local databases, with all tables and no rows, and opens them for the admin tool. */
export async function openSeveral(count: number, withService = false): Promise<AdminOfSeveral> {
  const folder = await temporaryFolder();
  const configPath = join(folder.path, 'wrangler.toml');
  const numbers = Array.from({ length: count }, (_, number) => number);
  const toml = await readFile('wrangler.toml', 'utf8');
  await writeFile(configPath, usableElsewhere(withDatabases(toml, count)));
  const { open, d1, url, close } = await openDatabasesHere(folder.path, configPath, withService);
  for (const number of numbers) await migrate(await d1(bindingOf(number)));
  const jurisdictions = new Map<number, string>();
  const configuration: Configuration = {
    hasSeveral: () => count > 1,
    numbers: () => Promise.resolve(numbers),
    jurisdictions: () => Promise.resolve(jurisdictions),
    databases: () =>
      Promise.resolve(numbers.map((number) => ({ number, name: `name ${number}`, id: 'id' }))),
  };
  const run: AdminHere['run'] = (...words) => runHere(words, open, configuration);
  return {
    open,
    configuration,
    run,
    json: jsonOf(run),
    folder,
    jurisdictions,
    url,
    close: async () => {
      await close();
      await folder.remove();
    },
  };
}

/** Returns `wrangler.toml` with this many databases for local development. */
function withDatabases(toml: string, count: number): string {
  const further = Array.from(
    { length: count - 1 },
    (_, index) => `[[d1_databases]]
binding = "${bindingOf(index + 1)}"
database_name = "other-${index + 1}"
database_id = "${index + 1}0000000-0000-0000-0000-000000000000"
migrations_dir = "migrations"
`,
  );
  return toml.replace('[[ratelimits]]', `${further.join('\n')}\n[[ratelimits]]`);
}
