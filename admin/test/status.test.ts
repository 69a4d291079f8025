import { readdir } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseFailure } from '../../common/wrangler/database-failure.ts';
import { Failure } from '../../common/failure.ts';
import { sha256 } from '../../src/hash.ts';
import { record, records, temporaryFolder } from '../../test/node/processes.ts';
import { configured } from '../src/database/configuration.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere, runHere } from './admin-here.ts';
import { interceptDatabase } from './intercept-database.ts';

let admin: AdminHere;

beforeAll(async () => {
  admin = await openAdminHere();
});

afterAll(() => admin.close());

async function status(): Promise<[code: number | null, says: string, Record<string, unknown>]> {
  const { code, stdout, stderr } = await admin.run('status', '--json');
  return [code, stderr, record(JSON.parse(stdout))];
}

it('`status` is 0 while nothing needs anybody, and 1 with what does', async () => {
  const { brandId, keyId } = await admin.json('brand', 'create', 'Acme');
  expect(await status()).toMatchObject([
    0,
    expect.any(String),
    {
      brands: [],
      expiringKeys: [],
      databases: [{ number: 0, brands: 1, dailyJobAt: null, isDailyJobLate: false }],
    },
  ]);

  // A key that was revoked, one that has expired, one that was rotated, and a suspension are decisions.
  const brand = String(brandId);
  const issue = async (): Promise<string> =>
    String((await admin.json('key', 'issue', brand, '--expires-in', '10d'))['keyId']);
  await admin.json('key', 'revoke', await issue());
  const expired = await issue();
  await admin.database.run(
    sql`update api_keys set expires_at = '2026-01-01T00:00:00.000Z' where id = ${expired}`,
  );
  await admin.json('key', 'rotate', String(keyId));
  await admin.json('brand', 'suspend', brand);
  expect(await status()).toMatchObject([
    0,
    'Nothing needs anybody.\n',
    { brands: [{ brandId }], expiringKeys: [] },
  ]);
  expect((await admin.run('status')).stdout).toMatch(/Acme +│ suspended since 20/);

  const soon = await issue();
  await admin.database.run(
    sql`update api_keys set created_at = '2026-01-01T00:00:00.000Z' where id = ${soon}`,
  );
  await admin.database.run(sql`update brands set unfinished = 'delete' where id = ${brand}`);
  const [code, says, found] = await status();
  expect([code, says]).toEqual([
    1,
    expect.stringContaining('Somebody must look: 1 brand is unfinished, 1 key expires soon'),
  ]);
  expect(records(found['expiringKeys']).map((key) => key['keyId'])).toEqual([soon]);
});

it('`status` counts brands whose sync has stopped or fails, among those that ever synced: it is no alarm', async () => {
  const tool = await openAdminHere();
  const now = new Date().toISOString();
  const long = '2026-01-31T09:30:00.000Z';
  for (const [products, discounts, error] of [
    [null, null, null],
    [null, null, 'never worked'],
    [now, now, null],
    [now, long, 'odd'],
    [long, null, null],
  ]) {
    const { brandId } = await tool.json('brand', 'create', 'Synced');
    await tool.database.run(
      sql`update brands set last_products_sync_at = ${products}, last_discounts_sync_at = ${discounts}, last_sync_error = ${error} where id = ${brandId}`,
    );
  }
  const { code, stdout } = await tool.run('status', '--json');
  const syncs = { brands: 3, notSynced: 2, withError: 1 };
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { syncs }]);
  const table = (await tool.run('status')).stdout;
  expect(table).toMatch(/more than 2 days ago +│ 2 of 3 brands that have synced/);
  expect(table).toMatch(/ended with an error +│ 1 of 3 brands/);
  await tool.close();
});

it('`status` says which migrations a database lacks, and does not know the rest', async () => {
  const job = { dailyJobAt: null, isDailyJobLate: null, hasWorkLeft: null };
  const unknown = { bytes: null, brands: null, ...job };
  const empty = await temporaryFolder();
  const tool = await openAdminHere(empty.path);
  const { code, stdout, stderr } = await tool.run('status', '--json');
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 database lacks migrations')]);
  const pendingMigrations = await readdir('migrations');
  expect(JSON.parse(stdout)).toEqual({
    brands: null,
    expiringKeys: null,
    syncs: null,
    databases: [{ number: 0, ...unknown, pendingMigrations, unknownMigrations: [] }],
  });
  expect((await tool.run('status')).stdout).toContain(`lacks ${pendingMigrations.join(', ')}`);

  // A database of before the first release.
  await tool.database.run(sql`create table d1_migrations (name text)`);
  await tool.database.run(sql`insert into d1_migrations values ('0001_brands.sql')`);
  const old = await tool.run('status', '--json');
  expect([old.code, old.stderr]).toEqual([
    1,
    expect.stringMatching(/: 1 database has unknown migrations \(.*throw it away.*\)/),
  ]);
  expect(old.stderr).not.toContain('lacks migrations');
  expect(JSON.parse(old.stdout)).toMatchObject({
    databases: [{ ...unknown, unknownMigrations: ['0001_brands.sql'] }],
  });
  expect((await tool.run('status')).stdout).toContain('has unknown 0001_brands.sql');
  await tool.close();
  await empty.remove();
});

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

it.each([
  ['was never done in a new database', null, 25, false],
  ['was never done in 27 hours', null, 27, true],
  ['was done 25 hours ago', 25, 100, false],
  ['was done 27 hours ago', 27, 100, true],
])(
  '`status` says whether the daily job is late: it %s',
  async (_, done, created, isDailyJobLate) => {
    const tool = await openAdminHere();
    const dailyJobAt = done === null ? null : hoursAgo(done);
    await tool.database.run(
      sql`update daily_job set done_at = ${dailyJobAt}, created_at = ${hoursAgo(created)}`,
    );
    const { code, stdout, stderr } = await tool.run('status', '--remote', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ databases: [{ dailyJobAt, isDailyJobLate }] });
    expect([code, stderr]).toEqual([
      isDailyJobLate ? 1 : 0,
      expect.stringContaining(
        isDailyJobLate
          ? '1 database where the daily job has not done its work for 26 hours'
          : 'Nothing needs anybody.',
      ),
    ]);
    const table = await tool.run('status', '--remote');
    expect(table.stdout).toContain(`daily job ${dailyJobAt ?? 'never'}`);
    // No job runs in a local one.
    expect((await tool.run('status')).code).toBe(0);
    await tool.close();
  },
);

it('`status` says that the daily job has left work over, and is 1 then', async () => {
  const tool = await openAdminHere();
  await tool.database.run(sql`update daily_job set done_at = created_at, work_left = 1`);
  const { code, stdout, stderr } = await tool.run('status', '--remote', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ databases: [{ hasWorkLeft: true }] });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('1 database where the daily job has left work over (on the paid plan'),
  ]);
  expect((await tool.run('status', '--remote')).stdout).toContain(', with work left over');
  await tool.close();
});

it('`status` ends with 3 if it could not look', async () => {
  const failure = new DatabaseFailure('Cloudflare cannot be reached.', '');
  const ended = await runHere(['status', '--json'], () =>
    interceptDatabase(admin.database, () => Promise.reject(failure)),
  );
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([
    3,
    '',
    'error: Cloudflare cannot be reached.\nThis was the local database. Add --remote to use the deployed one.\n',
  ]);
  expect((await admin.run('status', '--unknown')).code).toBe(2);
  const bug = await runHere(['status'], () =>
    interceptDatabase(admin.database, () => Promise.reject(new TypeError('x is undefined'))),
  );
  expect([bug.code, bug.stderr]).toEqual([3, expect.stringContaining('TypeError: x is undefined')]);
  const { code, stderr } = await runHere(['status'], () => admin.database, {
    ...configured,
    numbers: () => Promise.reject(new Failure('wrangler.toml cannot be read.')),
  });
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('error: wrangler.toml cannot be read.'),
  ]);
});

it('A table that the terminal is too narrow for is shown as blocks', async () => {
  await admin.json('brand', 'create', 'Narrow');
  const width = async (columns: number): Promise<number> => {
    const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
    Object.assign(process.stdout, { isTTY: true, columns });
    try {
      const { stdout } = await admin.run('key', 'list');
      expect(stdout).toContain('Narrow');
      return Math.max(...stdout.split('\n').map((line) => line.length));
    } finally {
      Object.assign(process.stdout, before);
    }
  };
  expect(await width(80)).toBeLessThanOrEqual(80);
  expect(await width(1000)).toBeGreaterThan(100);
});

it('`key list` names a key as the log does', async () => {
  const { keyId, apiKey } = await admin.json('brand', 'create', 'Leaked');
  const keys = records((await admin.json('key', 'list'))['keys']);
  const { keyHash } = keys.find((key) => key['keyId'] === keyId) ?? {};
  expect(keyHash).toBe((await sha256(String(apiKey))).slice(0, 16));
});
