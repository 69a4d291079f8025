import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { Failure } from '../../common/failure.ts';
import { DatabaseFailure, UNCHANGED } from '../../common/wrangler/database-failure.ts';
import { deleteBrand } from '../src/brand/brands.ts';
import { openDatabase } from '../src/database/connect.ts';
import type { OpenDatabase } from '../src/database/open-database.ts';
import { explain } from '../src/database/failures.ts';
import { closeLocalDatabases } from '../src/database/local.ts';
import { answerOf } from '../src/database/remote-answer.ts';
import { runWrangler } from '../../common/wrangler/wrangler.ts';
import { openAdminHere } from './admin-here.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { freePort, temporaryFolder } from '../../test/node/processes.ts';
import { interceptDatabase } from './intercept-database.ts';
import { eventually } from '../../test/support/eventually.ts';

// What only the ways to a database can break: a local one in this process, a deployed one through wrangler.

/** Where the local databases lie in their folder, one file each. */
const DATABASES = 'v3/d1/miniflare-D1DatabaseObject';

const TEXTS = [
  '',
  "it's; drop table brands",
  '"double" `back` [square]',
  'COMMIT; BEGIN TRANSACTION; A COMMIT; BEGIN TRANSACTION; B',
  ' BEGIN x; CASE y; END ',
  '-- a comment',
  '/* unfinished',
  '$tag$ dollars $tag$',
  'line\nfeed\r\nand\ttab\u0085\u2028',
  'NUL\0 inside\0',
  'Größe 🧴 名前 👩‍👩‍👧',
  '\\x27 \\n %s ?1 :name',
  "x'00'",
  'long '.repeat(8000),
];

let folder: TemporaryFolder;
let database: OpenDatabase;

beforeAll(async () => {
  folder = await temporaryFolder();
  database = openDatabase({ persistTo: folder.path });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await closeLocalDatabases();
  await folder.remove();
});

it('A local database gets each text as it was given', async () => {
  const results = await database.run(...TEXTS.map((text) => sql`select ${text} as text`));
  expect(results.map(([row]) => row?.['text'])).toEqual(TEXTS);
});

it('A local database that another process writes to is retried until it is free', async () => {
  const files = await readdir(join(folder.path, DATABASES));
  const file = files.find((name) => /^[0-9a-f]+\.sqlite$/.test(name));
  const other = new DatabaseSync(join(folder.path, DATABASES, String(file)));
  other.exec('create table numbers (number integer primary key)');
  other.exec('begin immediate');
  const said = vi.spyOn(process.stderr, 'write').mockImplementation(() => {
    other.exec('rollback');
    return true;
  });
  const inserted = database.run(sql`insert into numbers values (1) returning number`);
  expect(await inserted).toEqual([[{ number: 1 }]]);
  expect(said.mock.calls).toEqual([['The database is busy. Trying again.\n']]);
  said.mockRestore();
  other.close();
});

it('A local database without tables is reported with the command that creates them', async () => {
  await expect(database.run(sql`select * from brands`)).rejects.toThrow(
    `wrangler d1 migrations apply DB --local '--persist-to=${folder.path}'`,
  );
});

it('A deletion of a brand that cannot go on says that the brand is partly deleted, and can be repeated', async () => {
  const tool = await openAdminHere();
  const { brandId } = await tool.json('brand', 'create', 'Acme');
  // More than one call deletes.
  await tool.database.run(
    sql`insert into tombstones (brand_id, collection, change_number, id, deleted_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n <= 20000)
        select ${String(brandId)}, 'products', n, ${String(brandId)}, '2026-01-31T09:30:00.000Z' from numbers`,
  );
  const busy = new DatabaseFailure('The database is busy.', UNCHANGED);
  let calls = 0;
  const failing = interceptDatabase(tool.database, (call) =>
    ++calls > 1 ? Promise.reject(busy) : call(),
  );
  const deleted = deleteBrand(failing, String(brandId));
  await expect(deleted).rejects.toThrow(
    'The database is busy. The brand is partly deleted: its keys no longer work. Run the command again to delete the rest.',
  );
  expect(await tool.json('brand', 'list')).toMatchObject({ brands: [{ liveKeys: 0 }] });
  const file = join(tool.path, 'part.json');
  for (const words of [
    ['brand', 'export', String(brandId), '--to', file],
    ['key', 'issue', String(brandId)],
    ['key', 'rotate', '--brand', String(brandId)],
  ]) {
    const { code, stderr } = await tool.run(...words);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is partly deleted')]);
    expect(stderr).toContain(`brand delete ${String(brandId)}`);
  }
  await tool.json('brand', 'delete', String(brandId), '--yes');
  expect(await tool.json('brand', 'list')).toMatchObject({ total: 0, brands: [] });
  await tool.close();
});

/** Lets wrangler take a server for Cloudflare's API. */
async function standIn(answer: RequestListener): Promise<Server> {
  const port = await freePort();
  const api = createServer(answer).listen(port, '127.0.0.1');
  await once(api, 'listening');
  vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', 'account');
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token');
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', `http://127.0.0.1:${port}`);
  return api;
}

it('A deployed database that does not answer is given up at the time limit, in a sentence', async () => {
  const asked: unknown[] = [];
  const api = await standIn(({ url }) => asked.push(url));
  // On a busy machine wrangler may not get as far as asking within the shorter limits.
  for (const seconds of [3, 20, 60]) {
    const ended = runWrangler(['d1', 'list'], { timeLimit: seconds * 1000 });
    await expect(ended).rejects.toThrow(Failure);
    await expect(ended).rejects.toThrow(`wrangler did not finish within ${seconds} seconds`);
    if (asked.length > 0) break;
  }
  expect(asked).toHaveLength(1);
  // Its connections end with it.
  await eventually(async () => {
    expect(await promisify(api.getConnections.bind(api))()).toBe(0);
  });
  api.close();
});

it('A deployed database gets each text as it was given, whatever variables say of the output of wrangler', async () => {
  vi.stubEnv('WRANGLER_LOG', 'none');
  vi.stubEnv('WRANGLER_OUTPUT_FILE_DIRECTORY', '/dev/null/nowhere');
  const api = await standIn((request, response) => {
    void text(request).then(async (body) => {
      const { sql: statements } = z.object({ sql: z.string() }).parse(JSON.parse(body));
      const results = await database.run(...statements.split(';\n').map((one) => sql.raw(one)));
      const result = results.map((rows) => ({
        results: rows,
        success: true,
        meta: { size_after: 1 },
      }));
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
    });
  });
  const remote = openDatabase({ remote: true });
  const results = await remote.run(...TEXTS.map((text) => sql`select ${text} as text`));
  expect(results.map(([row]) => row?.['text'])).toEqual(TEXTS);
  api.close();
});

it('The output of wrangler may have the reason in notes', () => {
  const error = {
    text: 'A request to the API failed.',
    notes: [{ text: 'no such table: brands' }],
  };
  const stdout = JSON.stringify({ error });
  const report = 'A request to the API failed.\nno such table: brands';
  expect(answerOf({ code: 1, stdout, stderr: '' })).toEqual({ report });
});

it('The output of wrangler may be no answer: a failure has all of it, and after a success the change was probably made', () => {
  const stdout = 'Loaded.\n[]';
  expect(answerOf({ code: 1, stdout, stderr: 'Failed.\n' })).toEqual({
    report: 'Failed.\nLoaded.\n[]',
  });
  expect(() => answerOf({ code: 0, stdout, stderr: '' })).toThrow('was probably made');
});

it.each<[report: string, passes: boolean, sentence: string]>([
  ['database is locked: SQLITE_BUSY', true, 'busy'],
  ['Currently processing a long-running export.', false, 'exported or imported'],
  ['D1_ERROR: Network connection lost.', true, 'The answer of D1 was lost. See with the list'],
  ['D1 DB is overloaded. Requests queued for too long.', false, 'D1 has no capacity'],
  [
    'D1 DB storage operation exceeded timeout which caused object to be reset.',
    false,
    'took too much time, memory or CPU time. See with the list',
  ],
  ['Exceeded maximum DB size.', false, 'is full. D1 holds 10 GB in a database, and 500 MB on'],
  [
    "Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.",
    false,
    'in a day. Wait until midnight UTC, or change to the paid plan. Nothing was changed.',
  ],
  ['{"D1_RESET_DO":true}', true, 'D1 has restarted this database. See with the list'],
  ['Cannot resolve D1 DB due to transient issue on remote node.', true, 'cannot reach'],
  [
    'The given account is not valid or is not authorized to access this service [code: 7403]',
    false,
    'may not use D1 in this account',
  ],
  ['no such column: label: SQLITE_ERROR', false, 'migrations apply DB --remote --env=staging'],
  ['database or disk is full: SQLITE_FULL', false, 'The disk or the database is full'],
  ['CHECK constraint failed: length(label) <= 255: SQLITE_CONSTRAINT', false, 'refused a value'],
  ['Authentication error [code: 10000]', false, 'npx wrangler login'],
  ['More than one account available', false, 'CLOUDFLARE_ACCOUNT_ID'],
  ["Couldn't find DB with name 'DB'", false, 'wrangler d1 create'],
  ['No environment found in configuration with name "staging".', false, '"staging"'],
  ['fetch failed', false, 'Check the network'],
  ["ENOTDIR: not a directory, mkdir '/dev/null/x'", false, 'folder'],
  ['near "selec": syntax error at offset 0: SQLITE_ERROR', false, 'migrations list DB --remote'],
  ['', false, 'does not know the reason'],
])('A failure of wrangler is a sentence without SQL: %s', (report, passes, sentence) => {
  const failure = explain(report, { flags: '--remote --env=staging', env: 'staging' });
  expect(failure.passes).toBe(passes);
  const text = `${failure.reason} ${failure.consequence}`;
  expect(text).toContain(sentence);
  expect(text).not.toMatch(/SQLITE|no such|constraint failed|select|insert|\[code/);
});
