import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { resourceOf, TestBrand } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import type { Fields, TestCollection } from './support/collections/collection.ts';
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

describe.each(collections)('$path', (of) => {
  const { path, full, defaults } = of;
  const bare = of.bare(1);

  it('A sample has every field', async () => {
    const brand = await TestBrand.create();
    const fields = writable(await brand.create(path, bare));
    expect(Object.keys(full).sort(), HINT).toEqual(fields);
    expect(Object.keys({ ...bare, ...defaults }).sort(), HINT).toEqual(fields);
  });

  it('A sample has the default of every field that POST omits, and keeps what PATCH omits', async () => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, full);
    const patched = resourceOf(await brand.send('PATCH', `${path}/${id}`, bare));
    expect(patched).toMatchObject({ ...full, ...bare });
    await brand.send('DELETE', `${path}/${id}`);
    expect(await brand.create(path, bare)).toMatchObject({ ...bare, ...defaults });
  });

  it('A PUT that omits a field resets or keeps it, field by field', async () => {
    const brand = await TestBrand.create();
    for (const omitted of Object.keys(defaults)) {
      const { id } = await brand.create(path, full);
      const body = { ...full, [omitted]: undefined };
      const replaced = resourceOf(await brand.send('PUT', `${path}/${id}`, body));
      const becomes = of.resetByPut.includes(omitted) ? defaults[omitted] : full[omitted];
      const also = pick(of.alsoPut?.(body) ?? {}, [omitted]);
      expect(replaced, omitted).toMatchObject({ ...full, [omitted]: becomes, ...also });
      await brand.send('DELETE', `${path}/${id}`);
    }
  });
});

/** The bodies that the specification shows for POST and PUT. */
const SHOWN: readonly (readonly [of: TestCollection, names: readonly string[]])[] = [
  [
    products,
    [
      'serviceInventoryQuantity',
      'serviceListingStatus',
      'currencyCode',
      'discountPercent',
      'imageUrl',
      'marginPercent',
      'priceCents',
      'storeInventoryQuantity',
      'storeProductId',
      'storeStatus',
      'storeVariantId',
      'sku',
      'sourceUpdatedAt',
      'title',
    ],
  ],
  [
    couponCodes,
    [
      'active',
      'category',
      'code',
      'currentUses',
      'description',
      'discountPercent',
      'maxUses',
      'storeDiscountId',
    ],
  ],
];

it.each(SHOWN)(
  'A PUT of the fields that the specification shows replaces these, and keeps the others: $path',
  async (of, names) => {
    const brand = await TestBrand.create();
    const { path, full } = of;
    const { id, ...created } = await brand.create(path, full);
    const others = await brand.create(path, { ...full, ...of.bare(2) });
    const values: Fields = { ...of.defaults, ...of.bare(3), imageUrl: A };
    const linked = Object.entries(full).filter(([name]) => name === of.link?.field);
    const sent = { ...pick(values, names), ...Object.fromEntries(linked) };
    const replaced = resourceOf(await brand.send('PUT', `${path}/${id}`, sent));
    expect(Object.keys(sent).sort()).toEqual([...names].sort());
    expect(replaced).toEqual({
      ...created,
      id,
      ...sent,
      ...('updatedAt' in created && { updatedAt: replaced['updatedAt'] }),
    });
    expect(await brand.list(path)).toEqual([replaced, others]);
  },
);

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

it.each(['brand', 'connection'] as const)(
  'A half of the profile has every field in its samples: %s',
  async (half) => {
    const brand = await TestBrand.create();
    const { body } = await brand.send('GET', '/profile');
    const fields = writable(body[half]);
    expect(Object.keys(fullProfile[half]).sort(), HINT).toEqual(fields);
    const defaults = { ...bareProfile[half], ...profileDefaults[half] };
    expect(Object.keys(defaults).sort(), HINT).toEqual(fields);
  },
);

it('The profile of a new brand has its name and the defaults, and PUT resets to them', async () => {
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

/** What is given to a POST, and what follows from it. */
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

it.each(derived)(
  'The derived defaults of a product follow from its fields: %j, %j',
  async (given, becomes) => {
    const brand = await TestBrand.create();
    const body = { ...products.bare(1), ...given };
    expect(await brand.create('/products', body)).toMatchObject(becomes);
  },
);

it.each(['日本', '!!!', '😀'])(
  'A product whose title gives no handle has its id as handle: %s',
  async (title) => {
    const brand = await TestBrand.create();
    const body = { ...products.bare(1), title };
    const created = await brand.create('/products', body);
    expect(created['handle']).toBe(created.id);
  },
);

it.each(['PUT', 'PATCH'])(
  'PUT and PATCH work out no derived default of a product: %s',
  async (method) => {
    const brand = await TestBrand.create();
    const { updatedAt: _, ...created } = await brand.create('/products', products.bare(1));
    const changes = { title: 'Other', priceCents: 2, imageUrl: A };
    const answer = await brand.send(method, `/products/${created.id}`, changes);
    expect(resourceOf(answer)).toMatchObject({ ...created, ...changes });
  },
);

const before = { imageUrl: A, imageUrls: [A, B] };

it.each<[method: string, sent: Fields, becomes: Fields]>([
  ['PUT', {}, before],
  ['PUT', { imageUrl: B }, { imageUrl: B, imageUrls: [A, B] }],
  ['PUT', { imageUrl: null }, { imageUrl: null, imageUrls: [A, B] }],
  ['PUT', { imageUrls: [B] }, { imageUrl: B, imageUrls: [B] }],
  ['PUT', { imageUrls: [] }, { imageUrl: null, imageUrls: [] }],
  ['PUT', { imageUrl: A, imageUrls: [B] }, { imageUrl: A, imageUrls: [B] }],
  ['PUT', { imageUrl: null, imageUrls: [B] }, { imageUrl: null, imageUrls: [B] }],
  ['PATCH', { imageUrls: [B] }, { imageUrl: A, imageUrls: [B] }],
  ['PATCH', { imageUrl: B }, { imageUrl: B, imageUrls: [A, B] }],
])(
  'A write of one image field of a product adapts the other: %s of %j gives %j',
  async (method, sent, becomes) => {
    const brand = await TestBrand.create();
    const { id } = await brand.create('/products', { ...products.bare(1), ...before });
    const body = { ...products.bare(1), ...sent };
    const answer = await brand.send(method, `/products/${id}`, body);
    expect(resourceOf(answer)).toMatchObject(becomes);
  },
);

describe.each([
  { of: products, link: 'storeProductId' },
  { of: couponCodes, link: 'storeDiscountId' },
])('$of.path', ({ of: { path, ...of }, link }) => {
  const bare = of.bare(1);
  const time = '2020-02-29T00:00:00.000Z';

  it.each<[name: string, given: Fields, syncStatus: string, lastSyncedAt: string | null]>([
    ['no store id', {}, 'NOT_LINKED', null],
    ['a null store id', { [link]: null }, 'NOT_LINKED', null],
    ['no store id, given', { syncStatus: 'PENDING', lastSyncedAt: time }, 'PENDING', time],
    ['given', { [link]: '1', syncStatus: 'FAILED', lastSyncedAt: null }, 'FAILED', null],
    ['only the time given', { [link]: '1', lastSyncedAt: time }, 'SYNCED', time],
  ])(
    'The sync metadata of a new resource follows from its store id and what is given: %s',
    async (_, given, syncStatus, lastSyncedAt) => {
      const brand = await TestBrand.create();
      const created = await brand.create(path, { ...bare, ...given });
      expect(created).toMatchObject({ syncStatus, lastSyncedAt });
      expect(await brand.list(path)).toEqual([created]);
    },
  );

  it('A new resource with a store id is synced at the time of the write', async () => {
    const brand = await TestBrand.create();
    const start = Date.now();
    const created = await brand.create(path, { ...bare, [link]: '1' });
    expect(created['syncStatus']).toBe('SYNCED');
    const at = Date.parse(String(created['lastSyncedAt']));
    expect(at).toBeGreaterThanOrEqual(start - 1);
    expect(at).toBeLessThanOrEqual(Date.now() + 1);
    if (of.showsTimes) expect(created['lastSyncedAt']).toBe(created['createdAt']);
    expect(await brand.list(path)).toEqual([created]);
  });
});
