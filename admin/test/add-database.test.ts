import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FinishedProcess } from '../../common/wrangler/wrangler.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { temporaryFolder } from '../../test/node/processes.ts';
import { createDatabase, nextDatabase } from '../src/database/add.ts';

const ID = '01890000-0000-7000-8000-000000000000';
const TARGET = { env: 'production' };
const TOML = 'name = "brands"\n';

let folder: TemporaryFolder;
let file: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'wrangler.toml');
});

afterAll(() => folder.remove());

/** Creates the database after number 0, with what wrangler says to `d1 create` and to `d1 migrations apply`. */
async function create(
  created: Partial<FinishedProcess>,
  migrated: Partial<FinishedProcess> = {},
): Promise<{ readonly calls: readonly string[]; readonly id: string }> {
  await writeFile(file, TOML);
  const calls: string[] = [];
  const runWrangler = (args: readonly string[]): Promise<FinishedProcess> => {
    calls.push(args.join(' '));
    const said = args.includes('create') ? created : migrated;
    return Promise.resolve({ code: 0, stdout: '', stderr: '', ...said });
  };
  const added = nextDatabase(TARGET, [{ number: 0, name: 'brands', id: ID }]);
  const id = await createDatabase(TARGET, added, { jurisdiction: 'eu' }, { runWrangler, file });
  return { calls, id };
}

/** What wrangler 4.156 prints. */
const CREATED = `✅ Successfully created DB 'brands-1'
Created your new D1 database.

To access your new D1 Database in your Worker, add the following snippet to your configuration file in the "production" environment:
[[env.production.d1_databases]]
binding = "brands_1"
database_name = "brands-1"
database_id = "${ID}"
`;

it('`database add` needs a first database', () => {
  const first = { number: 0, name: 'brands', id: '00000000-0000-0000-0000-000000000000' };
  expect(() => nextDatabase(TARGET, [first])).toThrow('the first database');
  expect(() => nextDatabase(TARGET, [])).toThrow('the first database');
});

it('`database add` creates, binds and migrates the next database', async () => {
  expect(await create({ stdout: CREATED })).toEqual({
    id: ID,
    calls: [
      'd1 create brands-1 --env=production --jurisdiction=eu',
      'd1 migrations apply DB_1 --remote --env=production',
    ],
  });
  expect(await readFile(file, 'utf8')).toBe(`${TOML}
[[env.production.d1_databases]]
binding = "DB_1"
database_name = "brands-1"
database_id = "${ID}"
migrations_dir = "migrations"
`);
});

it('`database add` changes nothing if Cloudflare has the database already, or wrangler fails', async () => {
  const stderr = 'A database with that name already exists';
  await expect(create({ code: 1, stderr })).rejects.toThrow('has a database brands-1 already');
  await expect(create({ code: 1, stderr: 'Authentication error' })).rejects.toThrow(
    'Nothing was changed.',
  );
  expect(await readFile(file, 'utf8')).toBe(TOML);
});

it('`database add` says what to do by hand if it cannot read the id, or a migration fails', async () => {
  await expect(create({ stdout: 'Done.' })).rejects.toThrow('Enter its id');
  await expect(create({ stdout: CREATED }, { code: 1 })).rejects.toThrow(
    'is in wrangler.toml, but its migrations failed. To see why: npx wrangler d1 migrations apply DB_1 --remote --env=production',
  );
  expect(await readFile(file, 'utf8')).toContain(ID);
});
