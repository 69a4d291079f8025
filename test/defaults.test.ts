import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resourceOf, TestBrand } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import type { Fields } from './support/collections/collection.ts';
import { bareProfile, fullProfile, profileDefaults } from './support/samples.ts';

const A = 'https://example.com/a.png';
const B = 'https://example.com/b.png';

const HINT = 'in its file in test/support/fields, add a row for each field';
const READ_ONLY = ['id', 'createdAt', 'updatedAt'];

/** Gives the names of the fields that a body may set. */
const writable = (shown: unknown): string[] =>
  Object.keys(z.record(z.string(), z.unknown()).parse(shown))
    .filter((name) => !READ_ONLY.includes(name))
    .sort();

describe.each(collections)('A sample of $path', ({ path, full, defaults, ...of }) => {
  const bare = of.bare(1);

  test('has every field', async () => {
    const brand = await TestBrand.create();
    const fields = writable(await brand.create(path, bare));
    expect(Object.keys(full).sort(), HINT).toEqual(fields);
    expect(Object.keys({ ...bare, ...defaults }).sort(), HINT).toEqual(fields);
  });

  test('has the default of every field that POST and PUT omit, and keeps what PATCH omits', async () => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, full);
    const patched = resourceOf(await brand.send('PATCH', `${path}/${id}`, bare));
    expect(patched).toMatchObject({ ...full, ...bare });
    const replaced = resourceOf(await brand.send('PUT', `${path}/${id}`, bare));
    expect(replaced).toMatchObject({ ...bare, ...defaults, id });
    await brand.send('DELETE', `${path}/${id}`);
    expect(await brand.create(path, bare)).toMatchObject({ ...bare, ...defaults });
  });
});

describe('The profile', () => {
  test.each(['brand', 'connection'] as const)(
    'has every field of %s in its samples',
    async (half) => {
      const brand = await TestBrand.create();
      const { body } = await brand.send('GET', '/profile');
      const fields = writable(body[half]);
      expect(Object.keys(fullProfile[half]).sort(), HINT).toEqual(fields);
      const defaults = { ...bareProfile[half], ...profileDefaults[half] };
      expect(Object.keys(defaults).sort(), HINT).toEqual(fields);
    },
  );

  test('of a new brand has its name and the defaults, and PUT resets to them', async () => {
    const brand = await TestBrand.create('New brand');
    const { brand: brandDefaults, connection } = profileDefaults;
    expect((await brand.send('GET', '/profile')).body).toMatchObject({
      brand: { ...brandDefaults, brandName: 'New brand' },
      connection,
    });
    await brand.send('PUT', '/profile', fullProfile);
    expect((await brand.send('PUT', '/profile', bareProfile)).body).toMatchObject({
      brand: { ...brandDefaults, ...bareProfile.brand },
      connection,
    });
  });
});

/** What is given to a POST or a PUT, and what follows from it. */
const derived: readonly (readonly [given: Fields, becomes: Fields])[] = [
  ...[
    ['Plain', 'plain'],
    ['Crème Brûlée', 'creme-brulee'],
    ['  Two -- words!  ', 'two-words'],
    ['100% Whey (Vanilla)', '100-whey-vanilla'],
    ['ÉTÉ 2026', 'ete-2026'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`${'x'.repeat(253)} y`, 'x'.repeat(253) + '-y'],
    ['日本 Tea', 'tea'],
    ['\u0628\ufdfa Kaffee \u6f22\u5b57 №5 \u{1d400}', 'kaffee-no5-a'],
  ].map(([title, handle]) => [{ title }, { handle }] as const),
  [{ title: 'A title', handle: 'mine' }, { handle: 'mine' }],
  [{ imageUrl: A }, { imageUrl: A, imageUrls: [A] }],
  [{ imageUrls: [B, A] }, { imageUrl: B, imageUrls: [B, A] }],
  [{ imageUrls: [] }, { imageUrl: null, imageUrls: [] }],
  [{ imageUrl: null }, { imageUrl: null, imageUrls: [] }],
  [
    { imageUrl: A, imageUrls: [B] },
    { imageUrl: A, imageUrls: [B] },
  ],
  [
    { imageUrl: null, imageUrls: [B] },
    { imageUrl: null, imageUrls: [B] },
  ],
  ...[
    ['gid://shopify/Product/123', 'SHOPIFY'],
    ['gid://WooCommerce/Product/123', 'WOOCOMMERCE'],
    ['gid://my_store2/Product/1', 'MY_STORE2'],
    [`gid://${'a'.repeat(32)}/Product/1`, 'A'.repeat(32)],
    [`gid://${'a'.repeat(33)}/Product/1`, 'STORE'],
    ['gid://my-store/Product/1', 'STORE'],
    ['gid://9store/Product/1', 'STORE'],
    ['gid:///Product/1', 'STORE'],
    ['gid://shopify', 'STORE'],
    ['xgid://shopify/Product/1', 'STORE'],
    ['12345', 'STORE'],
    [null, 'API'],
  ].map(([storeProductId, source]) => [{ storeProductId }, { source }] as const),
  [{ storeProductId: 'gid://shopify/Product/1', source: 'CSV' }, { source: 'CSV' }],
];

describe('The derived defaults of a product', () => {
  test.each(derived)('with %j are %j', async (given, becomes) => {
    const brand = await TestBrand.create();
    const body = { ...products.bare(1), ...given };
    expect(await brand.create('/products', body)).toMatchObject(becomes);
    const { id } = await brand.create('/products', products.full);
    const replaced = resourceOf(await brand.send('PUT', `/products/${id}`, body));
    expect(replaced).toMatchObject(becomes);
  });

  test.each(['日本', '!!!', '😀'])('with the title %s have the id as handle', async (title) => {
    const brand = await TestBrand.create();
    const body = { ...products.bare(1), title };
    const created = await brand.create('/products', body);
    expect(created['handle']).toBe(created.id);
    const { id } = await brand.create('/products', products.full);
    const replaced = resourceOf(await brand.send('PUT', `/products/${id}`, body));
    expect(replaced['handle']).toBe(id);
  });

  test('are not worked out by PATCH, which changes exactly what it names', async () => {
    const brand = await TestBrand.create();
    const { updatedAt: _, ...created } = await brand.create('/products', products.bare(1));
    const changes = { title: 'Other', storeProductId: 'gid://shopify/Product/1', imageUrl: A };
    const answer = await brand.send('PATCH', `/products/${created.id}`, changes);
    expect(resourceOf(answer)).toMatchObject({ ...created, ...changes });
  });
});

describe.each([
  { of: products, link: 'storeProductId' },
  { of: couponCodes, link: 'storeDiscountId' },
])('The sync metadata of $of.path', ({ of: { path, full, ...of }, link }) => {
  const bare = of.bare(1);
  const time = '2020-02-29T00:00:00.000Z';

  test.each<[name: string, given: Fields, syncStatus: string, lastSyncedAt: string | null]>([
    ['no store id', {}, 'NOT_LINKED', null],
    ['a null store id', { [link]: null }, 'NOT_LINKED', null],
    ['no store id, given', { syncStatus: 'PENDING', lastSyncedAt: time }, 'PENDING', time],
    ['given', { [link]: '1', syncStatus: 'FAILED', lastSyncedAt: null }, 'FAILED', null],
    ['only the time given', { [link]: '1', lastSyncedAt: time }, 'SYNCED', time],
  ])('%s', async (_, given, syncStatus, lastSyncedAt) => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, full);
    const body = { ...bare, ...given };
    const replaced = resourceOf(await brand.send('PUT', `${path}/${id}`, body));
    expect(replaced).toMatchObject({ syncStatus, lastSyncedAt });
    await brand.send('DELETE', `${path}/${id}`);
    expect(await brand.create(path, body)).toMatchObject({ syncStatus, lastSyncedAt });
  });

  test('with a store id, is synced at the time of the write', async () => {
    const brand = await TestBrand.create();
    const start = Date.now();
    const created = await brand.create(path, { ...bare, [link]: '1' });
    await scheduler.wait(5);
    const changed = { ...bare, [link]: '2' };
    const replaced = resourceOf(await brand.send('PUT', `${path}/${created.id}`, changed));
    const times = [created, replaced].map(({ syncStatus, lastSyncedAt }) => {
      expect(syncStatus).toBe('SYNCED');
      return Date.parse(String(lastSyncedAt));
    });
    const ordered = [start - 1, ...times, Date.now() + 1];
    expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(2);
    if (!of.showsTimes) return;
    expect(created['lastSyncedAt']).toBe(created['createdAt']);
    expect(replaced['lastSyncedAt']).toBe(replaced['updatedAt']);
  });
});
