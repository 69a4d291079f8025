import { beforeEach, describe, expect, it } from 'vitest';
import type { Product } from '../../client/src/index.ts';
import type { CouponCodeItem } from '../../client/src/mirror/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { newBrand } from './connected.ts';
import { FakeStore, FIELDS, KeyedStore } from './fake-store.ts';
import { expectEqual, keeper, Mirrored } from './mirrored.ts';
import { all } from './outcomes.ts';

let one: Mirrored;
let other: Mirrored;

beforeEach(async () => {
  [one, other] = await Mirrored.create();
});

/** Both mirrors in turn, until what one brought has reached the other. Returns what all then have. */
async function rounds(): ReturnType<typeof expectEqual> {
  for (const side of [one, other, one]) await side.run();
  return expectEqual(one, other);
}

describe('Two stores and the service', () => {
  it('get the same products; of two changes, that of the service wins', async () => {
    one.store.put('A', 'Apple', 1);
    one.store.put('B', 'Banana', 2);
    other.store.put('B', 'Bananas', 3);
    other.store.put('C', 'Cherry', 4);
    await one.create('D', 'Date');
    const all = { A: 'Apple', B: 'Banana', C: 'Cherry', D: 'Date' };
    expect(await rounds()).toEqual(all);
    one.store.put('A', 'Apple pie', 1);
    await one.update(await one.idOf('A'), { title: 'Apples' });
    expect(await rounds()).toEqual({ ...all, A: 'Apples' });
  });

  it('get each change and deletion once, without echo', async () => {
    one.store.put('A', 'Apple', 1);
    one.store.put('C', 'Cherry', 1);
    await rounds();
    const count = (): number[] => [
      one.store.writes,
      other.store.writes,
      one.writes(),
      other.writes(),
    ];
    const before = count();
    one.store.put('A', 'Apples', 10);
    one.store.delete('C');
    await rounds();
    expect(await rounds()).toEqual({ A: 'Apples' });
    // The first store's mirror looks at what it deletes and sends both. The other's writes both to its store.
    expect(count().map((now, index) => now - Number(before[index]))).toEqual([0, 2, 2, 0]);
  });

  it('are read once each if nothing has changed', async () => {
    one.store.put('A', 'Apple', 1);
    await rounds();
    for (const side of [one, other]) {
      const before = side.network.sent.length;
      await side.run();
      expect(side.network.sent.slice(before).map(({ method }) => method)).toEqual(['GET']);
    }
  });

  it('follow the brand: changes, deletions, a new product with an old SKU, a new SKU', async () => {
    for (const sku of ['A', 'B', 'C', 'D', 'E']) await one.create(sku);
    await rounds();
    const before = one.writes() + other.writes();
    await one.update(await one.idOf('A'), { title: 'Apples', featured: true });
    await one.delete(await one.idOf('B'));
    await one.delete(await one.idOf('C'));
    await one.create('C', 'Again');
    await one.update(await one.idOf('D'), { sku: 'DATE' });
    // Both sides delete it.
    await one.delete(await one.idOf('E'));
    one.store.delete('E');
    expect(await rounds()).toEqual({ A: 'Apples', C: 'Again', DATE: 'D' });
    expect(one.writes() + other.writes()).toBe(before);
  });
});

describe('A deletion in the store', () => {
  beforeEach(async () => {
    for (let n = 0; n < 3; n++) one.store.put(`P-${n}`, 'Plum', n);
    await one.run();
  });

  it('of many products takes one look and one push', async () => {
    for (let n = 0; n < 3; n++) one.store.delete(`P-${n}`);
    const before = one.network.sent.length;
    await one.run();
    const methods = one.network.sent.slice(before).map(({ method }) => method);
    expect(methods).toEqual(['GET', 'POST', 'POST']);
    expect(await expectEqual(one)).toEqual({});
  });

  it.each([
    ['is stopped by a change of what is copied', 0, { title: 'Prune' }, 'Prune'],
    ['is stopped by such a change after the mirror has read', 1, { title: 'Prune' }, 'Prune'],
    ['is not stopped by a change of something else', 1, { featured: true }, undefined],
  ])('%s', async (_, reads, patch, expected) => {
    const id = await one.idOf('P-0');
    one.store.delete('P-0');
    let steps = 0;
    const change = (): Promise<void> => one.update(id, patch);
    if (reads === 0) await change();
    // The store is read when the service was.
    else one.store.onRead = async () => (steps++ === 0 ? change() : undefined);
    for (let times = 0; times < 3; times++) await one.run();
    expect((await expectEqual(one))['P-0']).toBe(expected);
  });

  it('in the service meanwhile is not undone by a change in the store', async () => {
    one.store.put('P-0', 'Prune', 9);
    one.store.onRead = async () => one.delete(await one.idOf('P-0'));
    await one.run();
    one.store.onRead = async () => Promise.resolve();
    await one.runs();
    expect(Object.keys(await expectEqual(one))).toEqual(['P-1', 'P-2']);
  });

  it('does not count if the store has the item again, under the same SKU', async () => {
    one.store.put('P-0', 'Plum, new', 9);
    // The old row was deleted, and a new one has its SKU.
    const read = one.store.changes.bind(one.store);
    one.store.changes = async (since) => {
      const found = await read(since);
      return { ...found, deleted: found.changed.map(({ sku }) => sku) };
    };
    await one.runs();
    expect((await expectEqual(one))['P-0']).toBe('Plum, new');
  });
});

describe('What cannot be copied', () => {
  it('is reported and tried in each run, until it is accepted', async () => {
    one.store.put('H', 'Hazel', 8);
    one.store.put('I', 'Imbe', 9);
    await one.run();
    one.store.put('H', 'x'.repeat(300), 8);
    const refused: readonly unknown[] = [expect.stringMatching(/^H: title: expected/)];
    expect(await one.runs(1)).toEqual(refused);
    // Whatever else of the product changes.
    await one.update(await one.idOf('H'), { featured: true });
    expect(await one.runs(2)).toEqual([...refused, ...refused]);
    one.store.put('H', 'Huckleberry', 8);
    expect(await one.runs(1)).toEqual([]);
    expect(await expectEqual(one)).toEqual({ H: 'Huckleberry', I: 'Imbe' });
  });

  it('is a product without a SKU. Its item comes back once it has one, even if the store deleted it', async () => {
    const id = await one.create('P');
    await one.run();
    await one.update(id, { sku: null });
    one.store.delete('P');
    expect(await one.runs(1)).toEqual([`${id}: not copied, because it has no sku`]);
    await one.update(id, { sku: 'P' });
    await one.runs();
    expect(await expectEqual(one)).toEqual({ P: 'P' });
  });
});

describe('The fields', () => {
  it('that are not named are left alone', async () => {
    const withMore = { sku: 'K', title: 'Kiwi', priceCents: 1, description: 'Mine' };
    one.store.set(withMore);
    await one.run();
    const { data } = await one.client.products.get(await one.idOf('K'));
    expect(data).toMatchObject({ title: 'Kiwi', description: '' });
    expect(one.store.items.get('K')).toHaveProperty('description', 'Mine');
  });

  // Neither side may take for a change what the service stores in another form.
  it('can be of every type, and in a form that the service does not store', async () => {
    const { products } = one.client;
    const fields = [
      'title',
      'imageUrl',
      'imageUrls',
      'currencyCode',
      'marketplaceCategory',
      'storeProductId',
      'sourceUpdatedAt',
      'lastSyncedAt',
      'featured',
      'priceCents',
      'discountPercent',
      'marginPercent',
      'description',
      'handle',
    ] as const;
    const numbers = { priceCents: 2, discountPercent: 11, marginPercent: 0, featured: true };
    const spelled = {
      ...numbers,
      marginPercent: -0,
      title: ' \u00a0\u212bno\u0308l\t',
      description: '\n\u212b\r\n',
      handle: ' nha\u0302\u0303n--10 ',
      imageUrl: ' https://Example.COM/a.png\n',
      imageUrls: [' https://a.example/e\u0301'],
      marketplaceCategory: ' SUPPLEMENTS',
      currencyCode: 'EUR ',
      storeProductId: '\ufeffg/1',
      sourceUpdatedAt: '2026-01-31T10:30:00.0129+01:00',
      lastSyncedAt: ' 2026-01-31T04:00:00.0120000-05:30',
    };
    const time = '2026-01-31T09:30:00.012Z';
    const stored = {
      ...numbers,
      title: '\u00c5n\u00f6l',
      sourceUpdatedAt: time,
      lastSyncedAt: time,
      description: '\u00c5',
      handle: 'nhẫn--10',
      imageUrl: 'https://Example.COM/a.png',
      imageUrls: ['https://a.example/\u00e9'],
      marketplaceCategory: 'SUPPLEMENTS',
      currencyCode: 'EUR',
      storeProductId: 'g/1',
    };
    const { data } = await products.create({ sku: 'BOTH', ...spelled });
    expect(data).toMatchObject(stored);
    // The item that both sides have, and one that only the store has.
    const items = ['BOTH', 'STORE'].map((sku) => ({ ...data, ...spelled, sku }));
    const kept = keeper((problem) => expect.fail(problem));
    for (let runs = 0; runs < 3; runs++) {
      await mirror({
        ...kept(),
        products,
        fields,
        store: {
          // It reports its items in each run, as if somebody had saved them without a change.
          changes: () => Promise.resolve({ changed: items, deleted: [], since: '1' }),
          save: (item) => expect.fail(`saved ${JSON.stringify(item)}`),
          remove: (sku) => expect.fail(`removed ${sku}`),
        },
      });
    }
    const [both, mine] = await all(products.list());
    expect(both).toEqual(data);
    expect(mine).toMatchObject({ ...stored, sku: 'STORE' });
  });

  it('cannot change between two runs', async () => {
    const { products } = one.client;
    const kept = keeper((problem) => expect.fail(problem));
    const store = new FakeStore();
    await mirror({ ...kept(), products, store, fields: FIELDS });
    await expect(mirror({ ...kept(), products, store, fields: ['title'] })).rejects.toThrow(
      'The state is of a mirror with the key sku and the fields title, priceCents.',
    );
    await mirror({ ...kept(), products, store, fields: FIELDS, key: 'sku' });
  });
});

type Rope = Pick<Product, 'title' | 'priceCents'> &
  Readonly<Record<'handle' | 'storeProductId' | 'storeVariantId' | 'sku', string>>;

/** An item with one value in each field that could be the key, and a SKU that all have. */
function rope(value: string, title: string): Rope {
  const ids = { handle: value, storeProductId: value, storeVariantId: value };
  return { ...ids, title, priceCents: 100, sku: 'SAME' };
}

describe('Another key', () => {
  it.each([
    ['handle', ' rope-1', 'rope-1'],
    ['storeProductId', 'gid://a/e\u0301', 'gid://a/\u00e9'],
    ['storeVariantId', ' 7\t', '7'],
  ] as const)(
    'of products is %s, as the store spells it, whatever the SKU',
    async (key, spelled, cleaned) => {
      const { products } = one.client;
      const reports: string[] = [];
      const kept = keeper((problem) => reports.push(problem));
      const store = new KeyedStore<typeof key, Rope>(key);
      const fields = ['title', 'priceCents', 'sku'] as const;
      const run = async (): Promise<void> => mirror({ ...kept(), products, store, key, fields });
      for (const value of [spelled, 'gone', 'kept']) store.set(rope(value, 'Rope'));
      await run();
      expect((await all(products.list())).map((product) => [product[key], product.sku])).toEqual(
        [cleaned, 'gone', 'kept'].map((value) => [value, 'SAME']),
      );
      const [first, second] = await all(products.list());
      await products.update(first?.id ?? '', { title: 'Changed' });
      await products.delete(second?.id ?? '');
      store.set(rope('kept', 'Longer'));
      await run();
      expect([...store.items].map(([value, { title }]) => [value, title])).toEqual([
        [spelled, 'Changed'],
        ['kept', 'Longer'],
      ]);
      expect((await all(products.list())).map(({ title }) => title)).toEqual(['Changed', 'Longer']);
      expect([reports, store.writes]).toEqual([[], 2]);
    },
  );

  it('of coupon codes is the code in any case, as the store spells it', async () => {
    const connect = await newBrand();
    const { couponCodes } = connect().client;
    const reports: string[] = [];
    const kept = keeper((problem) => reports.push(problem));
    const fields = ['discountPercent', 'active'] as const;
    const store = new KeyedStore<'code', CouponCodeItem<(typeof fields)[number]>>('code');
    const run = async (): Promise<void> => mirror({ ...kept(), couponCodes, store, fields });
    for (const code of ['Save10', ' TEN ', 'gone']) {
      store.set({ code, discountPercent: 10, active: true });
    }
    const { data } = await couponCodes.create({ code: 'SAVE10', discountPercent: 15 });
    await run();
    store.delete('gone');
    await couponCodes.update(data.id, { active: false });
    await run();
    expect([...store.items.values()]).toEqual([
      { code: 'Save10', discountPercent: 15, active: false },
      { code: ' TEN ', discountPercent: 10, active: true },
    ]);
    for (const code of ['new', 'NEW']) store.set({ code, discountPercent: 5, active: true });
    await run();
    expect(reports).toEqual([
      'new: not copied, because 2 items of the store have this code: "new", "NEW"',
    ]);
    expect((await all(couponCodes.list())).map(({ code }) => code)).toEqual(['SAVE10', 'TEN']);
  });

  it('of coupon codes is storeDiscountId: a new item may take the code of a deleted one', async () => {
    const { couponCodes } = one.client;
    const kept = keeper((problem) => expect.fail(problem));
    const fields = ['code', 'discountPercent'] as const;
    const key = 'storeDiscountId';
    const store = new KeyedStore<typeof key, CouponCodeItem<(typeof fields)[number], typeof key>>(
      key,
    );
    const run = async (): Promise<void> => mirror({ ...kept(), couponCodes, store, key, fields });
    store.set({ storeDiscountId: 'd1', code: 'SUMMER', discountPercent: 10 });
    await run();
    store.delete('d1');
    const second = { storeDiscountId: 'd2', code: 'SUMMER', discountPercent: 20 };
    store.set(second);
    await run();
    expect(await all(couponCodes.list())).toMatchObject([second]);
  });
});
