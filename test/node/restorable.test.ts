import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import type { Env } from '../../src/env.ts';
import { runWrangler } from '../../tools/wrangler.ts';
import { migratedFolder } from './pool.ts';
import type { Finished, TemporaryFolder } from './processes.ts';
import { DevServer, freePort, runScript, scriptWords, temporaryFolder } from './processes.ts';

/** D1's limit for a statement, in bytes. */
const LONGEST_STATEMENT = 100_000;

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

const file = (name: string): string => join(folder.path, name);

function convert(from: string, to: string): Promise<Finished> {
  return runScript('restorable', file(from), file(to));
}

/** Runs wrangler, which must succeed. */
async function wrangler(...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runWrangler(args);
  expect(code, stdout + stderr).toBe(0);
}

/** Where a database lies that wrangler can export: beside a configuration of its own. */
const stateOf = (database: string): string => join(file(database), '.wrangler/state');

async function exportOf(database: string): Promise<string> {
  const [config, output] = [join(file(database), 'wrangler.toml'), file(`${database}.sql`)];
  await copyFile('wrangler.toml', config);
  await wrangler('d1', 'export', 'DB', '--local', '--config', config, '--output', output);
  return readFile(output, 'utf8');
}

describe('An export of a database with long and hostile texts', () => {
  const TEXTS = [
    'a; COMMIT; b',
    'BEGIN TRANSACTION;',
    'BEGIN TRANSACTION; COMMIT; BEGIN TRANSACTION; COMMIT;',
    `it's "quoted" \`so\` [and so]; -- /* x`,
    'a;\nb\r\n\tc\u0001\u001b\u007f\u0085\u2028',
    'Größe 🧴 名前 👩‍👩‍👧',
    `${'x'.repeat(39_999)}é${'🧴'.repeat(10_000)}`,
    'é'.repeat(65_000),
  ];

  it('is restored unchanged by wrangler, once it is converted', async () => {
    const migrated = await migratedFolder();
    await cp(migrated.path, stateOf('source'), { recursive: true });
    await migrated.remove();
    const server = await DevServer.start(await freePort(), stateOf('source'));
    const [key = ''] = /bik_\w+/.exec(server.curl) ?? [];
    const [origin = ''] = /http:\S+(?=\/api)/.exec(server.curl) ?? [];
    const images = Array.from(
      { length: 250 },
      (_, index) => `https://shop.example/${String(index).padStart(1900, 'i')}`,
    );
    for (const [index, description] of TEXTS.entries()) {
      const response = await fetch(`${origin}/api/brand/v1/products`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}` },
        // In a list, one may be longer than alone.
        body: JSON.stringify({
          products: [
            {
              title: `Text ${index}`,
              priceCents: 1,
              discountPercent: 12.34,
              description: description.replace(/\p{Cc}(?<![\n\r\t])/gu, ''),
              imageUrls: index === 0 ? images : [],
            },
          ],
        }),
      });
      expect(response.status, await response.text()).toBe(201);
    }
    await server.kill();
    const { env, dispose } = await getPlatformProxy<Env>({
      persist: { path: join(stateOf('source'), 'v3') },
    });
    await env.DB.batch(
      [
        'create table numbered (id integer primary key autoincrement, text text)',
        "insert into numbered values (9, 'deleted later')",
        'delete from numbered',
        'create table copies (text text)',
        'create index numbered_by_text on numbered (text)',
        "create trigger copied after insert on numbered begin insert into copies values (new.text || ';'); end",
      ].map((statement) => env.DB.prepare(statement)),
    );
    await env.DB.batch(
      TEXTS.map((text) => env.DB.prepare('insert into numbered (text) values (?)').bind(text)),
    );
    await dispose();

    const source = await exportOf('source');
    expect(await convert('source.sql', 'restore.sql')).toEqual({
      code: 0,
      stdout: `${file('restore.sql')} can be restored.\n`,
      stderr: '',
    });
    const lines = (await readFile(file('restore.sql'), 'utf8')).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(LONGEST_STATEMENT);
    expect((await stat(file('restore.sql'))).mode & 0o777).toBe(0o600);
    const target = ['--local', '--persist-to', stateOf('restored')];
    await wrangler('d1', 'execute', 'DB', ...target, '--file', file('restore.sql'), '--yes');
    const restored = await exportOf('restored');
    expect(restored === source).toBe(true);
    expect(source).toContain('CREATE TRIGGER copied');
    expect(source).toContain(TEXTS[0]);
  });
});

describe('A converted export', () => {
  const HOSTILE = `
    PRAGMA defer_foreign_keys=TRUE;
    create table "a ""b;" (id integer primary key, any, total integer generated always as (id + 1));
    insert into "a ""b;" (any) values (null), (5), (5.0), (0.1), (-1e300), (1e21), (4.9e-324), (9e999), (-9e999),
      (9223372036854775807), (-9223372036854775808), (x''), (''), (x'00ff'), (cast(x'610062' as text)),
      (cast(zeroblob(150000) as text)), (randomblob(150000)), (1.7976931348623157e308), (0.30000000000000004);
    create table wide (a text, b text, c blob, d text) strict;
    insert into wide values (printf('%.*c', 40000, 'a'), printf('%.*c', 40000, 'b'), zeroblob(40000), 'd;');
    create table parents (id text primary key) without rowid;
    create table children (parent text references parents (id), check (length(parent) < 70000));
    create table Pieces_Of_Long_Values (text);
    insert into children values (printf('%.*c', 60000, 'p'));
    insert into parents select parent from children;
    create view lengths as select length(a) from wide; -- it's a comment;
    create /* a; */ unique index long on wide (length(a), d) where d <> ';';
    create trigger t instead of insert on lengths begin select case when 1 then 2 end; delete from wide; end;
  `;

  /** All that a database has. */
  function contentOf(sql: string): unknown {
    const database = new DatabaseSync(':memory:');
    database.exec(`begin;${sql};commit`);
    const definitions = database
      .prepare('select type, name, sql from sqlite_master order by type, rowid')
      .all();
    const rows = definitions
      .filter(({ type }) => type === 'table')
      .map(({ name }) => {
        const table = `"${String(name).replaceAll('"', '""')}"`;
        const columns = database.prepare('select name from pragma_table_info(?)').all(String(name));
        const values = columns.map(
          ({ name: column }) =>
            `typeof("${String(column)}"), quote("${String(column)}"), hex("${String(column)}")`,
        );
        return database.prepare(`select ${values.join()} from ${table}`).all();
      });
    database.close();
    return { definitions, rows };
  }

  it('has every value and definition, in short statements', async () => {
    // What is random must be the same in both.
    const database = new DatabaseSync(':memory:');
    const blob = database.prepare('select hex(randomblob(150000)) as digits').get()?.['digits'];
    const sql = HOSTILE.replace('randomblob(150000)', `x'${String(blob)}'`);
    const reals = Array.from(
      { length: 500 },
      () => Math.random() * 10 ** (Math.random() * 40 - 20),
    );
    const all = `${sql} create table reals (r real); insert into reals values (${reals.join('),(')});`;
    await writeFile(file('hostile.sql'), all);
    const { code, stderr } = await convert('hostile.sql', 'harmless.sql');
    expect([code, stderr]).toEqual([0, '']);
    const converted = await readFile(file('harmless.sql'), 'utf8');
    expect(contentOf(converted)).toEqual(contentOf(all));
    expect(Math.max(...converted.split('\n').map((line) => line.length))).toBeLessThan(
      LONGEST_STATEMENT,
    );
    expect(converted).not.toContain("'d;'");
  });
});

describe('What cannot be converted', () => {
  it.each([
    ['text that is no SQL', 'Hello;', 'near "Hello"'],
    ['an export that was cut off', "create table t (a);\ninsert into t values ('a;", 'middle of'],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x3b]), 'not valid'],
    ['what wrangler would change', "create table t (a default 'BEGIN TRANSACTION');", 'table t'],
    ['an export with zero bytes', 'create table t (a);\n\0insert into t values (1);', 'zero bytes'],
    ['nothing', '', 'no tables'],
  ])('%s: is reported, and no file is left', async (_, content, says) => {
    await writeFile(file('refused.sql'), content);
    const { code, stdout, stderr } = await convert('refused.sql', 'not-written.sql');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .*refused\.sql cannot be converted: .+\n$/);
    expect(stderr).toContain(says);
    await expect(stat(file('not-written.sql'))).rejects.toThrow('ENOENT');
  });

  it('a file that does not exist is reported', async () => {
    const { code, stderr } = await convert('nowhere.sql', 'not-written.sql');
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no such file')]);
  });

  it('no file is overwritten', async () => {
    await writeFile(file('export.sql'), 'create table t (a);');
    await writeFile(file('precious.sql'), 'precious');
    const { code, stderr } = await convert('export.sql', 'precious.sql');
    expect([code, stderr]).toEqual([1, expect.stringContaining('it exists already')]);
    expect(await readFile(file('precious.sql'), 'utf8')).toBe('precious');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves nothing', async (signal) => {
    const { path, remove } = await temporaryFolder();
    const row = `insert into t values ('${'x'.repeat(1000)}');\n`;
    await writeFile(join(path, 'large.sql'), `create table t (a);\n${row.repeat(100_000)}`);
    const [command, ...first] = scriptWords('restorable');
    const words = [join(path, 'large.sql'), join(path, 'restore.sql')];
    const child = spawn(command, [...first, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    const output = text(child.stderr);
    await expect.poll(() => readdir(path), { timeout: 60_000 }).toHaveLength(3);
    child.kill(signal);
    await once(child, 'exit');
    expect([child.exitCode, await output]).toEqual([1, 'error: Stopped. No file was written.\n']);
    expect(await readdir(path)).toEqual(['large.sql']);
    await remove();
  });

  it('a word too few shows the help', async () => {
    const { code, stderr } = await runScript('restorable', 'export.sql');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("missing required argument 'target'"),
    ]);
  });
});
