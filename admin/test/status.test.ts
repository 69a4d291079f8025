import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src/hash.ts';
import { migratedFolder } from '../../test/node/pool.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { record, records } from '../../test/node/processes.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere } from './admin-here.ts';

let folder: TemporaryFolder;
let admin: AdminHere;

beforeAll(async () => {
  folder = await migratedFolder();
  admin = await openAdminHere(folder.path);
});

afterAll(async () => {
  await admin.close();
  await folder.remove();
});

async function status(): Promise<[code: number | null, says: string, Record<string, unknown>]> {
  const { code, stdout, stderr } = await admin.run('status', '--json');
  return [code, stderr, record(JSON.parse(stdout))];
}

it('status is 0 while nothing needs anybody, and 1 with what does', async () => {
  const { brandId, keyId } = await admin.json('brand', 'create', 'Acme');
  expect(await status()).toMatchObject([
    0,
    expect.any(String),
    { brands: [], expiringKeys: [], databases: [{ number: 0, brands: 1, pendingMigrations: [] }] },
  ]);

  // A key that was revoked, one that has expired, one that was rotated, and a suspension are decisions.
  const brand = String(brandId);
  const issue = async (): Promise<string> =>
    String((await admin.json('key', 'issue', brand, '--expires-in', '10d'))['keyId']);
  await admin.json('key', 'revoke', await issue());
  const expired = await issue();
  await admin.execute(
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
  await admin.execute(
    sql`update api_keys set created_at = '2026-01-01T00:00:00.000Z' where id = ${soon}`,
  );
  await admin.execute(sql`update brands set unfinished = 'delete' where id = ${brand}`);
  const [code, says, found] = await status();
  expect([code, says]).toEqual([
    1,
    expect.stringContaining('Somebody must look: 1 brand is unfinished, 1 key expires soon'),
  ]);
  expect(records(found['expiringKeys']).map((key) => key['keyId'])).toEqual([soon]);

  await admin.execute(sql`delete from d1_migrations where name like '0001%'`);
  const [lacking, sentence, { databases }] = await status();
  expect([lacking, sentence]).toEqual([1, expect.stringContaining('1 database lacks migrations')]);
  expect(databases).toMatchObject([{ pendingMigrations: [expect.stringMatching(/^0001.*sql$/)] }]);

  // A database of before the first release.
  await admin.execute(sql`insert into d1_migrations (name) values ('0001_brands.sql')`);
  const [unknown, sentence2, { databases: old }] = await status();
  expect([unknown, sentence2]).toEqual([
    1,
    expect.stringMatching(/: 1 database has unknown migrations \(.*throw it away.*\)/),
  ]);
  expect(sentence2).not.toContain('lacks migrations');
  expect(old).toMatchObject([{ unknownMigrations: ['0001_brands.sql'] }]);
  expect((await admin.run('status')).stdout).toContain('has unknown 0001_brands.sql');
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

it('key list names a key as the log does', async () => {
  const { keyId, apiKey } = await admin.json('brand', 'create', 'Leaked');
  const keys = records((await admin.json('key', 'list'))['keys']);
  const { keyHash } = keys.find((key) => key['keyId'] === keyId) ?? {};
  expect(keyHash).toBe((await sha256(String(apiKey))).slice(0, 16));
});
