import { expect, it } from 'vitest';
import { items } from '../items.ts';
import { shop } from './command-shop.ts';
import { record, records } from '../../../test/node/processes.ts';
import { product } from './woocommerce-stand-in.ts';
import { connectedStore, containing } from './woocommerce-shop.ts';

const catalogue = (count: number, of: string, skus: string | undefined = of): object[] =>
  Array.from({ length: count }, (_, index) => ({
    ...product(index + 1),
    name: `${of} ${index + 1}`,
    slug: `${of}-${index + 1}`,
    sku: skus === '' ? '' : `${skus}-${index + 1}`,
  }));

it.each([
  ['another title and another SKU', catalogue(12, 'DE'), catalogue(12, 'FR')],
  ['another title, without SKUs', catalogue(12, 'DE', ''), catalogue(12, 'FR', '')],
  [
    'more than half of them',
    catalogue(19, 'DE'),
    [...catalogue(10, 'FR'), ...catalogue(19, 'DE').slice(10)],
  ],
])('A shop with the ids of another one changes nothing: %s', async (_, before, after) => {
  const { store, report, products, client } = await connectedStore({ folder: '/de' });
  store.products = rowsOf(before);
  expect(await report(['--record'])).toMatchObject({ created: before.length });
  const stored = await products();
  store.products = rowsOf(after);
  const said = await report(['--delete', '--record']);
  expect(said).toMatchObject({
    updated: 0,
    deleted: 0,
    error: containing(
      'nothing was changed. Another shop, also one on the same host, needs a brand',
    ),
  });
  expect(await products()).toEqual(stored);
  const { connection } = (await client.profile.get()).data;
  expect(connection.lastSyncError).toContain('use --record --new-store once');
  const once = await report(['--record', '--new-store']);
  expect(once).not.toHaveProperty('error');
  expect((await products())[0]?.title).toBe('FR 1');
});

it.each([
  ['nine products', catalogue(9, 'DE'), catalogue(9, 'FR')],
  ['titles alone', catalogue(12, 'DE'), catalogue(12, 'FR', 'DE')],
  ['SKUs alone', catalogue(12, 'DE'), catalogue(12, 'DE', 'FR')],
  ['half of them', catalogue(20, 'DE'), [...catalogue(10, 'FR'), ...catalogue(20, 'DE').slice(10)]],
])('A shop that may be the same one is synced if it differs by: %s', async (_, before, after) => {
  const { store, report } = await connectedStore();
  store.products = rowsOf(before);
  await report();
  store.products = rowsOf(after);
  expect(await report()).not.toHaveProperty('error');
});

it('A store that is not that of the brand is told what a second store needs', async () => {
  const { client, report } = await connectedStore();
  await client.profile.update({ connection: { storeDomain: 'first.example' } });
  expect(await report()).toMatchObject({
    error: containing(
      "nothing was changed. A second store needs a brand and a key of its own. If the brand's store has moved, use --record --new-store once",
    ),
  });
});

const rows = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${at + 1},simple,SKU-${at + 1},Thing ${at + 1},1,,1`);
const file = ['ID,Type,SKU,Name,Published,Parent,Regular price', ...rows(41), ''].join('\n');
const source = 'WOOCOMMERCE';

it.each([
  ['sku', (at: number) => ({ sku: ` SKU-${at}` })],
  ['handle', (at: number) => ({ handle: `thing-${at}` })],
])(
  'A change of the match that was interrupted creates nothing again, and does all else: same %s',
  async (field, key) => {
    const { sync, client, products } = await shop();
    const known = Array.from({ length: 40 }, (_, at) => ({
      title: `Old ${at + 1}`,
      priceCents: 1,
      source,
      ...key(at + 1),
      ...(at < 20 && { storeVariantId: `${at + 1}` }),
    }));
    await client.products.createMany(known);
    const { code, stdout } = await sync(file, ['--json', '--currency', 'USD']);
    const { created, updated, refused } = record(JSON.parse(stdout));
    expect([code, created, updated]).toEqual([1, 1, 20]);
    expect(refused).toHaveLength(20);
    const message = `a product in the service has this value, and no storeVariantId, so it would be created again. Run it once with --match ${field}, which gives it its ids`;
    expect(records(refused)[0]).toEqual({
      key: '21',
      error: `${field}: ${message}`,
      problems: [{ path: field, message }],
    });
    expect(await products()).toHaveLength(41);
    expect((await sync(file, ['--match', field, '--currency', 'USD'])).code).toBe(0);
    const last = await sync(file, ['--currency', 'USD']);
    expect([last.code, last.stdout]).toEqual([0, '0 created, 0 updated, 41 unchanged.\n']);
  },
);

it('A change of the match that was interrupted does not affect products of another source', async () => {
  const { sync, client } = await shop();
  await client.products.createMany([
    { title: 'Same', priceCents: 1, sku: 'SKU-2' },
    { title: 'Known', priceCents: 1, sku: 'SKU-1', source, storeVariantId: '1' },
  ]);
  const { code, stdout } = await sync(file, ['--currency', 'USD']);
  expect([code, stdout]).toEqual([0, '40 created, 1 updated, 0 unchanged.\n']);
});

const counts = { created: 0, updated: 0, unchanged: 3, refused: [] };

it('A first load went well if one answer was lost', async () => {
  const { sync, skus } = await shop();
  let isLost = false;
  const { code, stdout, stderr } = await sync(items(3), ['--match', 'sku', '--json', '--record'], {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (isLost || init?.method !== 'POST') return response;
      isLost = true;
      throw new TypeError('terminated');
    },
  });
  expect([isLost, code, stderr]).toEqual([true, 0, '']);
  expect(JSON.parse(stdout)).toMatchObject(counts);
  expect(await skus()).toHaveLength(3);
});

it('A first load went well if another one was faster', async () => {
  const { sync, client } = await shop();
  let isFirst = true;
  const { code, stdout } = await sync(items(3), ['--match', 'sku', '--json', '--record'], {
    fetch: async (url, init) => {
      if (isFirst && init?.method === 'POST') {
        isFirst = false;
        await client.products.push(items(3), { match: 'sku' });
      }
      return fetch(url, init);
    },
  });
  expect([isFirst, code]).toEqual([false, 0]);
  expect(JSON.parse(stdout)).toMatchObject(counts);
  expect((await client.profile.get()).data.connection.lastSyncError).toBeNull();
});

function rowsOf(rows: readonly object[]): Readonly<Record<string, unknown>>[] {
  return rows.map((row) => ({ ...row }));
}
