import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listActs } from '../src/audit.ts';
import { describeBrand } from '../src/brand/details.ts';
import type { BrandQuery } from '../src/brand/list.ts';
import { listBrands } from '../src/brand/list.ts';
import { createBrand } from '../src/brand/brands.ts';
import { actorOf } from '../src/database/connect.ts';
import { readSize } from '../src/home/databases.ts';
import type { StatementRunner } from '../src/database/open-database.ts';
import { databaseOn, inline, OpenDatabase } from '../src/database/open-database.ts';
import { exportBrand } from '../src/export/export.ts';
import type { KeyQuery } from '../src/key/list.ts';
import { listKeys } from '../src/key/list.ts';
import { issueKey } from '../src/key/keys.ts';
import { resumeBrand, suspendBrand } from '../src/brand/suspension.ts';
import type { AdminHere } from './admin-here.ts';
import { jsonOf, runHere } from './admin-here.ts';
import { sha256 } from '../../src/hash.ts';
import { migratedFolder } from '../../test/node/pool.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { records } from '../../test/node/processes.ts';

// An operator's commands on a large database: none reads a whole table of keys or of the audit trail to show a page.

const BRANDS = 10_000;
const KEYS_OF_EACH = 5;
/** A hundred times what a page may read: whatever reads the whole table exceeds it. */
const ENTRIES = 100_000;

/** The brand with this number, as the database makes its id. */
const idOf = (n: number): string => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const NEWEST = idOf(BRANDS);

/** The rows that a statement gives numbers to. */
const numbers = (count: number): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
const ID = (n: string): string => `printf('01890000-0000-7000-8000-%012d', ${n})`;
const TIME = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (${ENTRIES + 1} - n) || ' seconds')`;

/** One key in 100 expires within a month, one in 5 is revoked. */
const FILL = [
  `insert into brands (id, revision, created_at, updated_at, brand_name, description, cart_minimum_cents, customer_ltv_cents, connection_status, sync_enabled)
    ${numbers(BRANDS)} select ${ID('n')}, ${ID('n')}, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'Brand ' || n, printf('%.500c', 'x'), 0, 0, 'CONNECTED', 0 from numbers`,
  `insert into api_keys (hash, id, brand_id, prefix, label, scope, created_at, expires_at, revoked_at)
    ${numbers(BRANDS * KEYS_OF_EACH)} select printf('f%063x', n), ${ID('n')}, ${ID(`(n + ${KEYS_OF_EACH - 1}) / ${KEYS_OF_EACH}`)}, printf('bik_%08x', n), 'key ' || n, 'write', '2026-01-01T00:00:00.000Z',
      iif(n % 100 = 0, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+20 days'), iif(n % 2 = 0, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+200 days'), null)),
      iif(n % ${KEYS_OF_EACH} = 1, '2026-01-02T00:00:00.000Z', null) from numbers`,
  `insert into audit_trail (id, at, action, brand_id, key_id, actor, details)
    ${numbers(ENTRIES)} select ${ID('n')}, ${TIME}, iif(n % 10000 = 1, 'brand.suspend', 'key.issue'), ${ID(`n % ${BRANDS} + 1`)}, null, 'Ann', '{}' from numbers`,
];

let folder: TemporaryFolder;
let admin: Pick<AdminHere, 'run' | 'json'>;
let close: () => Promise<void>;
let database: OpenDatabase;
let rowsRead = 0;

beforeAll(async () => {
  folder = await migratedFolder();
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({
    persist: { path: join(folder.path, 'v3') },
  });
  close = dispose;
  for (const sql of FILL) await env.DB.prepare(sql).run();
  const measure: StatementRunner = async (...statements) => {
    const results = await env.DB.batch<Record<string, string | number | null>>(
      statements.map((statement) => env.DB.prepare(inline(statement))),
    );
    for (const { meta } of results) rowsRead += meta.rows_read;
    return { results: results.map(({ results }) => results), bytes: 0 };
  };
  database = new OpenDatabase(measure, 'Ann', 0);
  const run: AdminHere['run'] = (...words) =>
    runHere(words, (target) => databaseOn(env.DB, actorOf(target)));
  admin = { run, json: jsonOf(run) };
});

afterAll(async () => {
  await close();
  await folder.remove();
});

async function textOf(exported: ReturnType<typeof exportBrand>): Promise<string> {
  let whole = '';
  for await (const { text } of (await exported).pieces) whole += text;
  return whole;
}

const page = { limit: 50 };
const RECENT = new Date(Date.now() - 3_600_000).toISOString();
const LONG_AGO = '2026-01-01T00:00:00.000Z';
const brandsOf = (query: BrandQuery) => (): Promise<unknown> => listBrands([database], query);
const keys = (query: KeyQuery) => (): Promise<unknown> =>
  listKeys([database], { ...page, ...query });
const acts = (query: Parameters<typeof listActs>[1]) => (): Promise<unknown> =>
  listActs([database], { ...page, ...query });

it.each<[string, number, () => Promise<unknown>]>([
  // A row and its five keys with their index, for each of 51, and the keys once more: are they frozen?
  // The number of all brands is a part of it.
  ['of brands', BRANDS + 850, brandsOf(page)],
  ['of brands further down', BRANDS + 850, brandsOf({ ...page, after: idOf(500) })],
  ['the number of brands', BRANDS + 1, () => readSize(database)],
  // The number of those found is read too.
  ['of a search', BRANDS + 3000, brandsOf({ ...page, search: 'brand 77' })],
  ['of a search for nothing', 2 * BRANDS, brandsOf({ search: 'nobody' })],
  ['of brands that have not synced', 2 * BRANDS, brandsOf({ notSynced: 2 * 86_400 })],
  ['a brand', 30, () => describeBrand(database, NEWEST)],
  ['an export of a brand', 1000, () => textOf(exportBrand(database, NEWEST))],
  ['of keys', 200, keys({})],
  ['of live keys', 200, keys({ live: true })],
  ['of the keys of a brand', 20, keys({ brandId: NEWEST })],
  ['of a prefix', 10, keys({ prefix: 'bik_0000abcd' })],
  ['of the key of a log line', 10, keys({ hash: `f${'abcd'.padStart(63, '0')}` })],
  // Those that expire are found and sorted, and 51 are shown.
  ['of keys that expire', 1510, keys({ expiringIn: 30 * 86_400 })],
  ['of the audit trail', 110, acts({})],
  ['of the entries of a brand', 210, acts({ brandId: NEWEST })],
  ['of the entries of an action', 30, acts({ action: 'brand.suspend' })],
  ['of the entries since a time', 110, acts({ since: RECENT })],
  ['of an action since a time', 30, acts({ action: 'brand.suspend', since: LONG_AGO })],
])('A page with ten thousand brands reads few rows: %s, at most %d', async (_, most, act) => {
  rowsRead = 0;
  await act();
  expect(rowsRead).toBeLessThanOrEqual(most);
});

it('`brand list` shows the newest, the total, and how to go on', async () => {
  const { stdout, stderr } = await admin.run('brand', 'list', '--limit', '2');
  expect(stdout).toContain(NEWEST);
  expect(stdout).not.toContain(idOf(BRANDS - 2));
  expect(stderr).toContain(`2 of ${BRANDS} brands.`);
  expect(stderr).toContain(`For the next ones: --after ${idOf(BRANDS - 1)}`);
});

it('`brand list` prints all brands as one JSON document', async () => {
  const { total, brands, next } = await admin.json('brand', 'list');
  expect([total, next]).toEqual([BRANDS, null]);
  const ids = records(brands).map(({ brandId }) => brandId);
  expect(ids).toEqual(Array.from({ length: BRANDS }, (_, n) => idOf(BRANDS - n)));
});

it.each([
  ['École Lumière', 'école lumière'],
  ['École Lumière', 'COLE LUMI'],
  ['Мастерская', 'МАСТЕР'],
  ['ΑΘΗΝΆ', 'αθηνά'],
  ['Straße', 'STRASSE'],
])(
  '`brand list --search` finds a name by a part of it, whatever its case: %s by %s',
  async (name, search) => {
    const { brandId } = await admin.json('brand', 'create', name);
    const { total, brands, next } = await admin.json('brand', 'list', '--search', search);
    expect([total, next]).toEqual([1, null]);
    expect(records(brands)).toMatchObject([{ brandId, brandName: name }]);
    await admin.json('brand', 'delete', String(brandId), '--yes');
  },
);

it('`brand list --suspended` lists those alone', async () => {
  const { brandId } = await admin.json('brand', 'create', 'Paused');
  expect(await admin.json('brand', 'list', '--suspended')).toMatchObject({ total: 0 });
  await admin.json('brand', 'suspend', String(brandId));
  const { brands } = await admin.json('brand', 'list', '--suspended');
  expect(records(brands)).toMatchObject([{ brandId }]);
  await admin.json('brand', 'delete', String(brandId), '--yes');
});

it('`brand show` says what a brand has', async () => {
  const { brandId } = await createBrand(database, 'Shown');
  await issueKey(database, brandId, { expiresIn: 0 });
  await suspendBrand(database, brandId);
  const empty = { count: 0, bytes: 0, lastChange: null };
  const suspendedAt: unknown = expect.stringMatching(/Z$/);
  expect(await admin.json('brand', 'show', brandId)).toMatchObject({
    brandId,
    brandName: 'Shown',
    liveKeys: 1,
    keys: 2,
    bytes: 0,
    storeDomain: null,
    connectionStatus: 'DISCONNECTED',
    suspendedAt,
    collections: { products: empty },
  });
  await resumeBrand(database, brandId);
  expect(await admin.json('brand', 'show', brandId)).toMatchObject({ suspendedAt: null });
});

it('`key list` finds the brand of a leaked key by its text', async () => {
  const { apiKey, brandId, keyId } = await createBrand(database, 'Leaky');
  for (const prefix of [apiKey, apiKey.slice(0, 12), apiKey.slice(0, 11)]) {
    const { keys } = await admin.json('key', 'list', '--prefix', prefix);
    expect(records(keys)).toMatchObject([{ keyId, brandId, brandName: 'Leaky' }]);
  }
  const { stdout } = await admin.run('key', 'list', '--prefix', apiKey);
  expect(stdout).toContain('Leaky');
  expect(stdout).not.toContain(apiKey);
});

it('`key list` finds the key that a line of the log names', async () => {
  const { apiKey, brandId, keyId } = await createBrand(database, 'Logged');
  const hash = await sha256(apiKey);
  for (const keyHash of [hash.slice(0, 16), hash]) {
    const { keys } = await admin.json('key', 'list', '--hash', keyHash);
    expect(records(keys)).toMatchObject([{ keyId, brandId, keyHash: hash.slice(0, 16) }]);
  }
  expect((await admin.json('key', 'list', '--hash', '0'.repeat(16)))['keys']).toEqual([]);
  expect((await admin.run('key', 'list', '--hash', hash.slice(0, 15))).code).toBe(2);
});

it('`key list` lists what expires within a time, and only if it is live', async () => {
  const { keys } = await admin.json('key', 'list', '--expiring-in', '30d');
  const ids = records(keys).map(({ keyId }) => keyId);
  const expected = Array.from({ length: 500 }, (_, n) => idOf(100 * (n + 1)));
  expect(ids).toEqual(expected);
  expect((await admin.json('key', 'list', '--expiring-in', '1d'))['keys']).toEqual([]);
});

it('`key list` lists live keys alone', async () => {
  const { keys } = await admin.json('key', 'list', NEWEST, '--live');
  expect(records(keys)).toHaveLength(KEYS_OF_EACH - 1);
  expect(records((await admin.json('key', 'list', NEWEST))['keys'])).toHaveLength(KEYS_OF_EACH);
});

it('`audit` filters by brand, action and time, and shows the newest last', async () => {
  const { brandId, keyId } = await createBrand(database, 'Watched');
  await admin.json('key', 'revoke', keyId, '--actor', 'Ben');
  await suspendBrand(database, brandId);
  const actions = async (...words: string[]): Promise<unknown[]> =>
    records((await admin.json('audit', '--brand', brandId, ...words))['entries']).map(
      ({ action }) => action,
    );
  const all = ['brand.create', 'key.revoke', 'brand.suspend'];
  expect(await actions()).toEqual(all);
  expect(await actions('--limit', '2')).toEqual(all.slice(1));
  expect(await actions('--action', 'key.revoke', '--since', '7d')).toEqual(['key.revoke']);
  expect(await actions('--since', '2026-01-01')).toEqual(all);
  expect(await actions('--since', '2099-01-01T00:00:00+02:00')).toEqual([]);
  const { entries } = await admin.json('audit', '--action', 'key.revoke', '--limit', '1');
  expect(records(entries)).toMatchObject([{ actor: 'Ben', keyId }]);
});
