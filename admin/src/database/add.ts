import { readFile } from 'node:fs/promises';
import { bindingOf } from '../../../src/operator.ts';
import { replaceFile } from '../../../common/durable-file.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { runWrangler } from '../../../common/wrangler/wrangler.ts';
import { Failure } from '../../../common/failure.ts';
import { CONFIGURATION, NO_ID } from './configuration.ts';
import type { ConfiguredDatabase } from './configuration.ts';
import type { DatabaseTarget } from './target.ts';
import { explain } from './failures.ts';

interface NewDatabase {
  readonly number: number;
  readonly name: string;
  /** Returns the lines at the end of `wrangler.toml` that bind it. */
  readonly lines: (id: string) => readonly string[];
}

/** Where Cloudflare keeps a database. It can only be chosen at creation. */
interface DatabaseLocation {
  readonly jurisdiction?: string | undefined;
  readonly location?: string | undefined;
}

/** What the creation of a database works with. */
interface Means {
  readonly runWrangler: typeof runWrangler;
  /** The configuration that binds it: the path of `wrangler.toml`. */
  readonly file: string;
}

/**
 * Returns the next database of an environment.
 * @throws Failure if the environment has no first database
 */
export function nextDatabase(
  { env }: DatabaseTarget,
  existing: readonly ConfiguredDatabase[],
): NewDatabase {
  const [first] = existing;
  if (first?.number !== 0 || NO_ID.test(first.id ?? '')) {
    throw new Failure('Create the first database, and deploy: see docs/deploying.md.');
  }
  // Not a number that became free: there may be keys that carry it.
  const number = Math.max(...existing.map((database) => database.number)) + 1;
  const name = `${first.name}-${number}`;
  return {
    number,
    name,
    lines: (id) => [
      '',
      env ? `[[env.${env}.d1_databases]]` : '[[d1_databases]]',
      `binding = "${bindingOf(number)}"`,
      `database_name = "${name}"`,
      `database_id = "${id}"`,
      'migrations_dir = "migrations"',
      '',
    ],
  };
}

/**
 * Creates a database at Cloudflare, binds it in `wrangler.toml`, and applies the migrations to it.
 * @returns its id
 * @throws Failure that says what was done
 */
export async function createDatabase(
  { env = '' }: DatabaseTarget,
  added: NewDatabase,
  { jurisdiction, location }: DatabaseLocation,
  { runWrangler: run, file }: Means = { runWrangler, file: CONFIGURATION },
): Promise<string> {
  const { number, name } = added;
  const created = await run([
    'd1',
    'create',
    name,
    `--env=${env}`,
    ...(jurisdiction === undefined ? [] : [`--jurisdiction=${jurisdiction}`]),
    ...(location === undefined ? [] : [`--location=${location}`]),
  ]);
  const said = created.stdout + created.stderr;
  if (created.code !== 0) {
    const { reason } = explain(said, { flags: '--remote', env });
    throw new Failure(
      said.includes('already exists')
        ? `Cloudflare has a database ${name} already. If an earlier database add was interrupted, enter its id into wrangler.toml by hand, or delete it. Nothing was changed.`
        : `${reason} Nothing was changed.`,
    );
  }
  const [, id] = /database_id"?\s*[:=]\s*"([0-9a-f-]{36})"/.exec(said) ?? [];
  if (id === undefined) {
    throw new Failure(
      `wrangler created the database ${name}, but this tool cannot read what it printed. Enter its id into wrangler.toml by hand.`,
    );
  }
  await bind(added, id, file);
  const migrate = ['d1', 'migrations', 'apply', bindingOf(number), '--remote', `--env=${env}`];
  if ((await run(migrate)).code !== 0) {
    throw new Failure(
      `The database ${name} was created and is in wrangler.toml, but its migrations failed. To see why: npx wrangler ${migrate.join(' ')}`,
    );
  }
  return id;
}

/** @throws Failure that says which lines are missing */
async function bind({ lines, name }: NewDatabase, id: string, file: string): Promise<void> {
  try {
    const text = await readFile(file, 'utf8');
    await replaceFile(file, text + lines(id).join('\n'));
  } catch (error) {
    throw new Failure(
      `The database ${name} was created with the id ${id}, but wrangler.toml cannot be written: ${explained(error)}. Enter it by hand.`,
    );
  }
}
