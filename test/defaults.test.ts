import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resourceOf, TestBrand } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import { bareProfile, fullProfile, profileDefaults } from './support/samples.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const A = 'https://example.com/a.png';
const B = 'https://example.com/b.png';

const HINT = 'in its file in test/support/collections, add a value and a default for each field';
const PROFILE_HINT = 'in test/support/samples.ts, add a value and a default for each field';
const READ_ONLY = ['id', 'createdAt', 'updatedAt'];

/** Gives the names of the fields that a body may set. */
const writable = (shown: unknown): string[] =>
  Object.keys(z.record(z.string(), z.unknown()).parse(shown))
    .filter((name) => !READ_ONLY.includes(name))
    .sort();

describe.each(collections)('defaults of $path', ({ path, full, defaults, ...of }) => {
  const bare = of.bare(1);

  test('the samples have every field', async () => {
    const brand = await TestBrand.create();
    const fields = writable(await brand.create(path, bare));
    expect(Object.keys(full).sort(), HINT).toEqual(fields);
    expect(Object.keys({ ...bare, ...defaults }).sort(), HINT).toEqual(fields);
  });

  test('POST gives every omitted field its default', async () => {
    const brand = await TestBrand.create();
    const created = await brand.create(path, bare);
    expect(created).toMatchObject({ ...bare, ...defaults });
  });

  test('PUT resets every omitted field to its default', async () => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, full);
    const replaced = resourceOf(await brand.send('PUT', `${path}/${id}`, bare));
    expect(replaced).toMatchObject({ ...bare, ...defaults, id });
    expect(resourceOf(await brand.send('GET', `${path}/${id}`))).toEqual(replaced);
  });

  test('PATCH applies no defaults: it keeps the fields that it does not name', async () => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, full);
    const patched = resourceOf(await brand.send('PATCH', `${path}/${id}`, bare));
    expect(patched).toMatchObject({ ...full, ...bare });
  });
});

describe('defaults of the profile', () => {
  test.each(['brand', 'connection'] as const)(
    'the samples have every field of %s',
    async (half) => {
      const brand = await TestBrand.create();
      const { body } = await brand.send('GET', '/profile');
      const fields = writable(body[half]);
      expect(Object.keys(fullProfile[half]).sort(), PROFILE_HINT).toEqual(fields);
      const defaults = { ...bareProfile[half], ...profileDefaults[half] };
      expect(Object.keys(defaults).sort(), PROFILE_HINT).toEqual(fields);
    },
  );

  test('a new brand has its name and the defaults', async () => {
    const brand = await TestBrand.create('New brand');
    const { body } = await brand.send('GET', '/profile');
    const { brand: brandDefaults, connection } = profileDefaults;
    expect(body).toMatchObject({ brand: { ...brandDefaults, brandName: 'New brand' }, connection });
  });

  test('PUT resets every omitted field to its default', async () => {
    const brand = await TestBrand.create();
    await brand.send('PUT', '/profile', fullProfile);
    const { body } = await brand.send('PUT', '/profile', bareProfile);
    const { brand: brandDefaults, connection } = profileDefaults;
    expect(body).toMatchObject({ brand: { ...brandDefaults, ...bareProfile.brand }, connection });
    expect((await brand.send('GET', '/profile')).body).toEqual(body);
  });
});

const derived: readonly {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly becomes: Readonly<Record<string, unknown>>;
}[] = [
  ...[
    ['Plain', 'plain'],
    ['Crème Brûlée', 'creme-brulee'],
    ['  Two -- words!  ', 'two-words'],
    ['100% Whey (Vanilla)', '100-whey-vanilla'],
    ['ÉTÉ 2026', 'ete-2026'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`${'x'.repeat(254)} y`, 'x'.repeat(254)],
    ['日本 Tea', 'tea'],
  ].map(([title, handle]) => ({
    name: `the handle of ${String(title).slice(0, 30)}`,
    given: { title: String(title).slice(0, 255) },
    becomes: { handle },
  })),
  {
    name: 'a handle that is given',
    given: { title: 'A title', handle: 'mine' },
    becomes: { handle: 'mine' },
  },
  {
    name: 'imageUrls of imageUrl',
    given: { imageUrl: A },
    becomes: { imageUrl: A, imageUrls: [A] },
  },
  {
    name: 'imageUrl of imageUrls',
    given: { imageUrls: [B, A] },
    becomes: { imageUrl: B, imageUrls: [B, A] },
  },
  {
    name: 'imageUrl of no imageUrls',
    given: { imageUrls: [] },
    becomes: { imageUrl: null, imageUrls: [] },
  },
  {
    name: 'imageUrls of imageUrl null',
    given: { imageUrl: null },
    becomes: { imageUrl: null, imageUrls: [] },
  },
  {
    name: 'images both given, unlike each other',
    given: { imageUrl: A, imageUrls: [B] },
    becomes: { imageUrl: A, imageUrls: [B] },
  },
  {
    name: 'an imageUrl given as null beside images',
    given: { imageUrl: null, imageUrls: [B] },
    becomes: { imageUrl: null, imageUrls: [B] },
  },
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
  ].map(([storeProductId, source]) => ({
    name: `the source of ${String(storeProductId)}`,
    given: { storeProductId },
    becomes: { storeProductId, source },
  })),
  {
    name: 'a source that is given',
    given: { storeProductId: 'gid://shopify/Product/1', source: 'CSV' },
    becomes: { source: 'CSV' },
  },
];

describe('derived defaults of a product', () => {
  test.each(derived.map((row) => ({ ...row })))('$name', async ({ given, becomes }) => {
    const brand = await TestBrand.create();
    const body = { ...products.bare(1), ...given };
    const created = await brand.create('/products', body);
    expect(created).toMatchObject(becomes);
    const { id } = await brand.create('/products', products.full);
    const replaced = resourceOf(await brand.send('PUT', `/products/${id}`, body));
    expect(replaced).toMatchObject(becomes);
  });

  test.each(['日本', '!!!', '😀'])(
    'the handle of %s, whose slug is empty, is the id',
    async (title) => {
      const brand = await TestBrand.create();
      const created = await brand.create('/products', { ...products.bare(1), title });
      expect(created['handle']).toBe(created.id);
      const { id } = await brand.create('/products', products.full);
      const replaced = resourceOf(
        await brand.send('PUT', `/products/${id}`, { ...products.bare(1), title }),
      );
      expect(replaced['handle']).toBe(id);
    },
  );

  test('PATCH changes what it names and derives nothing from it', async () => {
    const brand = await TestBrand.create();
    const created = await brand.create('/products', products.bare(1));
    const changes = { title: 'Other', storeProductId: 'gid://shopify/Product/1', imageUrl: A };
    const answer = await brand.send('PATCH', `/products/${created.id}`, changes);
    const { updatedAt, ...patched } = resourceOf(answer);
    expect({ ...patched, updatedAt: created['updatedAt'] }).toEqual({ ...created, ...changes });
    expect(updatedAt).toMatch(TIME);
  });
});

describe.each([
  { of: products, link: 'storeProductId' },
  { of: couponCodes, link: 'storeDiscountId' },
])('sync metadata of $of.path', ({ of: { path, full, ...of }, link }) => {
  const bare = of.bare(1);
  const unlinked = { syncStatus: 'NOT_LINKED', lastSyncedAt: null };
  const time = '2020-02-29T00:00:00.000Z';

  test.each([
    { name: 'no store id', given: {}, becomes: unlinked },
    { name: 'a null store id', given: { [link]: null }, becomes: unlinked },
    {
      name: 'given without a store id',
      given: { syncStatus: 'PENDING', lastSyncedAt: time },
      becomes: { syncStatus: 'PENDING', lastSyncedAt: time },
    },
    {
      name: 'given with a store id',
      given: { [link]: '1', syncStatus: 'FAILED', lastSyncedAt: null },
      becomes: { syncStatus: 'FAILED', lastSyncedAt: null },
    },
    {
      name: 'only the time given with a store id',
      given: { [link]: '1', lastSyncedAt: time },
      becomes: { syncStatus: 'SYNCED', lastSyncedAt: time },
    },
  ])('$name', async ({ given, becomes }) => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, full);
    const replaced = resourceOf(await brand.send('PUT', `${path}/${id}`, { ...bare, ...given }));
    expect(replaced).toMatchObject(becomes);
    await brand.send('DELETE', `${path}/${id}`);
    expect(await brand.create(path, { ...bare, ...given })).toMatchObject(becomes);
  });

  test('with a store id a resource is synced at the time of the write', async () => {
    const brand = await TestBrand.create();
    const start = Date.now();
    const created = await brand.create(path, { ...bare, [link]: '1' });
    await scheduler.wait(5);
    const changed = { ...bare, [link]: '2' };
    const replaced = resourceOf(await brand.send('PUT', `${path}/${created.id}`, changed));
    const times = [created, replaced].map(({ syncStatus, lastSyncedAt }) => {
      expect(syncStatus).toBe('SYNCED');
      expect(lastSyncedAt).toMatch(TIME);
      return Date.parse(String(lastSyncedAt));
    });
    const ordered = [start - 1, ...times, Date.now() + 1];
    expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(2);
    if ('updatedAt' in created) {
      expect(created['lastSyncedAt']).toBe(created['createdAt']);
      expect(replaced['lastSyncedAt']).toBe(replaced['updatedAt']);
    }
  });
});
