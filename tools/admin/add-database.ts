import { readFile, rename, writeFile } from 'node:fs/promises';
import { bindingOf } from '../../src/db/databases.ts';
import { explained } from '../new-file.ts';
import { runWrangler } from '../wrangler.ts';
import { AdminError } from './admin-error.ts';
import { CONFIGURATION } from './configuration.ts';
import type { ConfiguredDatabase } from './configuration.ts';
import type { DatabaseTarget } from './database.ts';
import { explain } from './failures.ts';

/** What stands in `wrangler.toml` for the id of a database that Cloudflare does not have yet. */
const NO_ID = /^[0-]*$/;

/** A database to create, and the lines of `wrangler.toml` that bind it. */
export interface NewDatabase {
  readonly number: number;
  readonly name: string;
  /** The lines to insert; the id is still missing. */
  readonly lines: readonly string[];
  /** How many lines of the file come before them. */
  readonly after: number;
}

/** Where Cloudflare keeps a database. It can only be chosen at creation. */
export interface Place {
  readonly jurisdiction?: string | undefined;
  readonly location?: string | undefined;
}

/** Stands for the id until Cloudflare has given it. */
const MISSING_ID = '…';

/**
 * Returns the next database of an environment.
 * @throws AdminError if the environment has no first database, or if its place in `wrangler.toml` is not found
 */
export async function nextDatabase(
  { env }: DatabaseTarget,
  existing: readonly ConfiguredDatabase[],
): Promise<NewDatabase> {
  const [first] = existing;
  if (first?.number !== 0 || NO_ID.test(first.id ?? '')) {
    throw new AdminError('Create the first database, and deploy: see docs/deploying.md.');
  }
  // Not a number that became free: there may be keys that carry it.
  const number = Math.max(...existing.map((database) => database.number)) + 1;
  const name = `${first.name}-${number}`;
  const heading = env ? `[[env.${env}.d1_databases]]` : '[[d1_databases]]';
  const file = await lines();
  const start = file.lastIndexOf(heading);
  if (start < 0) {
    throw new AdminError(`wrangler.toml has no line ${heading}, below which the next one belongs.`);
  }
  const length = file.slice(start + 1).findIndex((line) => line.startsWith('['));
  const section = file.slice(start, length < 0 ? undefined : start + 1 + length);
  // Comments at the end belong to what follows.
  const size = section.findLastIndex((line) => line.trim() !== '' && !line.startsWith('#')) + 1;
  const migrations = section.filter((line) => line.startsWith('migrations_dir'));
  return {
    ...{ number, name, after: start + size },
    lines: [
      '',
      heading,
      `binding = "${bindingOf(number)}"`,
      `database_name = "${name}"`,
      `database_id = "${MISSING_ID}"`,
      ...migrations,
    ],
  };
}

/** Returns the change of `wrangler.toml`, as a diff. */
export async function diffOf({ after, lines: added }: NewDatabase): Promise<string[]> {
  const file = await lines();
  const context = 3;
  const before = file.slice(after - context, after);
  const behind = file.slice(after, after + context);
  return [
    '--- wrangler.toml',
    '+++ wrangler.toml',
    `@@ -${after - context + 1},${before.length + behind.length} +${after - context + 1},${before.length + added.length + behind.length} @@`,
    ...before.map((line) => ` ${line}`),
    ...added.map((line) => `+${line}`),
    ...behind.map((line) => ` ${line}`),
  ];
}

/**
 * Creates a database at Cloudflare, binds it in `wrangler.toml`, and applies the migrations to it.
 * @returns its id
 * @throws AdminError that says what was done
 */
export async function createDatabase(
  { env = '' }: DatabaseTarget,
  added: NewDatabase,
  { jurisdiction, location }: Place,
): Promise<string> {
  const { number, name } = added;
  const created = await runWrangler([
    ...['d1', 'create', name, `--env=${env}`],
    ...(jurisdiction === undefined ? [] : [`--jurisdiction=${jurisdiction}`]),
    ...(location === undefined ? [] : [`--location=${location}`]),
  ]);
  const said = created.stdout + created.stderr;
  if (created.code !== 0) {
    const { reason } = explain(said, { flags: '--remote', env });
    throw new AdminError(
      said.includes('already exists')
        ? `Cloudflare has a database ${name} already. If an earlier database add was interrupted, enter its id into wrangler.toml by hand, or delete it. Nothing was changed.`
        : `${reason} Nothing was changed.`,
    );
  }
  const [, id] = /database_id"?\s*[:=]\s*"([0-9a-f-]{36})"/.exec(said) ?? [];
  if (id === undefined) {
    throw new AdminError(
      `wrangler created the database ${name}, but this tool cannot read what it printed. Enter its id into wrangler.toml by hand.`,
    );
  }
  await bind(added, id);
  const target = ['--remote', `--env=${env}`];
  const migrated = await runWrangler([
    ...['d1', 'migrations', 'apply', bindingOf(number), ...target],
  ]);
  if (migrated.code !== 0) {
    throw new AdminError(
      `The database ${name} was created and is in wrangler.toml, but its migrations failed. To see why: npx wrangler d1 migrations apply ${bindingOf(number)} ${target.join(' ')}`,
    );
  }
  return id;
}

/** @throws AdminError that says which lines are missing */
async function bind({ after, lines: added, name }: NewDatabase, id: string): Promise<void> {
  const withId = added.map((line) => line.replace(MISSING_ID, id));
  try {
    const file = await lines();
    const text = [...file.slice(0, after), ...withId, ...file.slice(after)].join('\n');
    await writeFile(`${CONFIGURATION}.new`, text);
    await rename(`${CONFIGURATION}.new`, CONFIGURATION);
  } catch (error) {
    throw new AdminError(
      `The database ${name} was created with the id ${id}, but wrangler.toml cannot be written: ${explained(error)}. Enter it by hand.`,
    );
  }
}

async function lines(): Promise<string[]> {
  return (await readFile(CONFIGURATION, 'utf8')).split('\n');
}
