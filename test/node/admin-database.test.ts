import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { AdminError, DatabaseFailure, UNCHANGED } from '../../tools/admin/admin-error.ts';
import { deleteBrand } from '../../tools/admin/brands.ts';
import { openDatabase } from '../../tools/admin/database.ts';
import { explain } from '../../tools/admin/failures.ts';
import { runWrangler } from '../../tools/wrangler.ts';
import { openAdminHere } from './admin-here.ts';
import { migratedFolder } from './pool.ts';
import { AdminTool, runScriptWith, temporaryFolder } from './processes.ts';
import { around } from '../support/around.ts';

/** Where the local databases lie in their folder, one file each. */
const DATABASES = 'v3/d1/miniflare-D1DatabaseObject';

const TEXTS = [
  '',
  ' ',
  "'",
  "it's; drop table brands",
  '"double" `back` [square]',
  'A COMMIT; BEGIN TRANSACTION; B',
  'COMMIT; BEGIN TRANSACTION;',
  'BEGIN TRANSACTION; COMMIT; BEGIN TRANSACTION; COMMIT;',
  ' BEGIN x; CASE y; END ',
  '-- a comment',
  'a /* comment */ b',
  '/* unfinished',
  '$tag$ dollars $tag$',
  'line\nfeed\r\nand\ttab\u0085\u2028',
  'NUL\0 inside\0',
  'Größe 🧴 名前 👩‍👩‍👧',
  '\\x27 \\n %s ?1 :name',
  "x'00'",
  'long '.repeat(8000),
];

describe('a text on its way to the database', () => {
  it('arrives as it was given', async () => {
    const folder = await temporaryFolder();
    const execute = openDatabase({ persistTo: folder.path });
    const results = await execute(...TEXTS.map((text) => sql`select ${text} as text`));
    expect(results.map(([row]) => row?.['text'])).toEqual(TEXTS);
    await folder.remove();
  });
});

describe('a database that another process writes to', () => {
  it('is retried until it is free', async () => {
    const folder = await temporaryFolder();
    const execute = openDatabase({ persistTo: folder.path });
    await execute(sql`create table numbers (number integer primary key)`);
    const files = await readdir(join(folder.path, DATABASES));
    const file = files.find((name) => /^[0-9a-f]+\.sqlite$/.test(name));
    const other = new DatabaseSync(join(folder.path, DATABASES, String(file)));
    other.exec('begin immediate');
    const said = vi.spyOn(process.stderr, 'write').mockImplementation(() => {
      other.exec('rollback');
      return true;
    });
    const inserted = execute(sql`insert into numbers values (1) returning number`);
    expect(await inserted).toEqual([[{ number: 1 }]]);
    expect(said.mock.calls).toEqual([['The database is busy. Trying again.\n']]);
    said.mockRestore();
    other.close();
    await folder.remove();
  });
});

describe('a deletion of a brand that cannot go on', () => {
  it('says that the brand is partly deleted, and can be repeated', async () => {
    const folder = await migratedFolder();
    const tool = await openAdminHere(folder.path);
    const { brandId } = await tool.json('brand', 'create', 'Acme');
    const here = openDatabase({ persistTo: folder.path });
    // More than one call deletes.
    await here(
      sql`insert into tombstones (brand_id, collection, change_number, id, deleted_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n <= 20000)
        select ${String(brandId)}, 'products', n, ${String(brandId)}, '2026-01-31T09:30:00.000Z' from numbers`,
    );
    const busy = new DatabaseFailure('The database is busy.', UNCHANGED);
    let calls = 0;
    const failing = around(tool.execute, (call) => (++calls > 1 ? Promise.reject(busy) : call()));
    const deleted = deleteBrand(failing, String(brandId));
    await expect(deleted).rejects.toThrow(
      'The database is busy. The brand is partly deleted: its keys no longer work. Run the command again to delete the rest.',
    );
    expect(await tool.json('brand', 'list')).toMatchObject({ brands: [{ liveKeys: 0 }] });
    await tool.json('brand', 'delete', String(brandId), '--yes');
    expect(await tool.json('brand', 'list')).toMatchObject({ total: 0, brands: [] });
    await tool.close();
    await folder.remove();
  });
});

describe("variables that change wrangler's output", () => {
  it.each([
    ['WRANGLER_LOG', 'none'],
    ['WRANGLER_LOG', 'info'],
    ['WRANGLER_LOG', 'debug'],
    ['WRANGLER_OUTPUT_FILE_DIRECTORY', '/dev/null/nowhere'],
  ])('%s=%s: a new key is shown', async (name, value) => {
    const folder = await migratedFolder();
    const words = ['brand', 'create', 'Acme', '--json', '--persist-to', folder.path];
    const { code, stdout, stderr } = await runScriptWith({ [name]: value }, 'admin', ...words);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(JSON.parse(stdout)).toHaveProperty('apiKey');
    await folder.remove();
  });

  it('an output that cannot be read is reported as a change that was probably made', async () => {
    const folder = await migratedFolder();
    const noise = join(folder.path, 'noise.cjs');
    await writeFile(noise, 'console.log("Loaded.");');
    const variables = { NODE_OPTIONS: `--require ${noise}` };
    const words = ['brand', 'create', 'Acme', '--persist-to', folder.path];
    const { code, stderr } = await runScriptWith(variables, 'admin', ...words);
    expect([code, stderr]).toEqual([1, expect.stringContaining('was probably made')]);
    expect(stderr).not.toContain('wrangler failed');
    const { brands } = await new AdminTool(folder.path).json('brand', 'list');
    expect(brands).toMatchObject([{ brandName: 'Acme' }]);
    await folder.remove();
  });
});

describe('a wrangler that does not end', () => {
  it('is stopped at its time limit, and reported in a sentence', async () => {
    const asked: (string | undefined)[] = [];
    // Cloudflare's API, which never answers.
    const api = createServer(({ url }) => asked.push(url)).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const address = api.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    // On a busy machine wrangler may not get as far as asking within the shorter limits.
    for (const seconds of [5, 20, 60]) {
      vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', 'account');
      vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token');
      vi.stubEnv('CLOUDFLARE_API_BASE_URL', `http://127.0.0.1:${port}`);
      const ended = runWrangler(['d1', 'list'], { timeLimit: seconds * 1000 });
      vi.unstubAllEnvs();
      const sentence = `wrangler did not finish within ${seconds} seconds`;
      await expect(ended).rejects.toThrow(AdminError);
      await expect(ended).rejects.toThrow(sentence);
      if (asked.length > 0) break;
    }
    expect(asked).toHaveLength(1);
    // Its connections end with it.
    await vi.waitFor(async () => {
      expect(await promisify(api.getConnections.bind(api))()).toBe(0);
    });
    api.close();
  });
});

describe('a failure of wrangler', () => {
  const flags = '--remote --env=staging';
  const said: readonly [report: string, passes: boolean, sentence: string][] = [
    ['database is locked: SQLITE_BUSY', true, 'busy'],
    ['Currently processing a long-running export.', false, 'exported or imported'],
    ['database or disk is full: SQLITE_FULL', false, 'The disk or the database is full'],
    ['internal error; reference = a1\nSQLITE_FULL', false, 'The disk or the database is full'],
    ['database table is locked: brands: SQLITE_LOCKED', true, 'busy'],
    ['D1_ERROR: Network connection lost.', true, 'Cloudflare cannot be reached'],
    ['no such table: brands: SQLITE_ERROR [code: 7500]', false, `migrations apply DB ${flags}`],
    ['no such column: label: SQLITE_ERROR', false, `migrations apply DB ${flags}`],
    ['CHECK constraint failed: length(label) <= 255: SQLITE_CONSTRAINT', false, 'refused a value'],
    ['UNIQUE constraint failed: api_keys.id', false, 'refused a value'],
    ['Authentication error [code: 10000]', false, 'npx wrangler login'],
    ["it's necessary to set a CLOUDFLARE_API_TOKEN environment variable", false, 'wrangler login'],
    ['More than one account available', false, 'CLOUDFLARE_ACCOUNT_ID'],
    ["Couldn't find DB with name 'DB'", false, 'wrangler d1 create'],
    ['No environment found in configuration with name "staging".', false, '"staging"'],
    ['fetch failed', false, 'Check the network'],
    ["ENOTDIR: not a directory, mkdir '/dev/null/x'", false, 'folder'],
    ['near "selec": syntax error at offset 0: SQLITE_ERROR', false, `migrations list DB ${flags}`],
    ['', false, 'does not know the reason'],
  ];

  it.each(said)('%s: is a sentence without SQL', (report, passes, sentence) => {
    const failure = explain(report, { flags, env: 'staging' });
    expect(failure.passes).toBe(passes);
    const text = `${failure.reason} ${failure.consequence}`;
    expect(text).toContain(sentence);
    expect(text).not.toMatch(/SQLITE|no such|constraint failed|select|insert|\[code/);
  });

  it('is recognized by the text of Cloudflare, which wrangler puts into notes', async () => {
    const message = 'no such table: brands: SQLITE_ERROR';
    const api = createServer((_, response) => {
      response.writeHead(400, { 'Content-Type': 'application/json' });
      const errors = [{ code: 7500, message }];
      response.end(JSON.stringify({ success: false, errors, messages: [], result: null }));
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const address = api.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const account = {
      CLOUDFLARE_ACCOUNT_ID: 'account',
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
    };
    const { code, stderr } = await runScriptWith(account, 'admin', ...REMOTE_LIST);
    api.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('migrations apply DB --remote')]);
  });
});

const REMOTE_LIST = ['brand', 'list', '--remote'];
