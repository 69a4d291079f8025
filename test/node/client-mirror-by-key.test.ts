import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CouponCode, Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import type { CouponCodeItem, MirrorItem } from '../../client/src/mirror/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { KeyedStore } from './fake-store.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { all } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';
import { expectedProducts } from './store-export.ts';

// Stores whose items have no SKU, or equal ones: something else identifies them.

let server: SharedServer;
let client: BrandClient;
let network: FaultyNetwork;
let behind: BrandClient;
let reports: string[];

beforeAll(async () => {
  server = await shareServer();
  client = connect(fetch);
});

beforeEach(async () => {
  const { products, couponCodes } = client;
  for (const { id } of await all(products.list())) await products.delete(id);
  for (const { id } of await all(couponCodes.list())) await couponCodes.delete(id);
  network = new FaultyNetwork();
  behind = connect(network.fetch);
  reports = [];
});

function connect(fetching: typeof fetch): BrandClient {
  const { apiKey, port } = server;
  return new BrandClient({ apiKey, baseUrl: `http://127.0.0.1:${port}`, fetch: fetching });
}

interface Kept {
  readonly state: string | undefined;
  readonly persist: (text: string) => Promise<void>;
  readonly report: (problem: string) => void;
}

/** Returns a function that returns what each run of one mirror needs: the state that the last run stored. */
function keeper(): () => Kept {
  let state: string | undefined;
  return () => ({
    state,
    persist: (text) => Promise.resolve().then(() => void (state = text)),
    report: (problem) => reports.push(problem),
  });
}

const FIELDS = ['title', 'priceCents', 'sku', 'imageUrls'] as const;
type Field = (typeof FIELDS)[number];

/** Returns a function that runs the mirror of a store by a key of products. */
function mirrorOf<K extends 'handle' | 'storeProductId' | 'storeVariantId'>(
  key: K,
  store: KeyedStore<K, MirrorItem<Field, K>>,
): () => Promise<void> {
  const kept = keeper();
  return async () => mirror({ ...kept(), products: behind.products, store, key, fields: FIELDS });
}

const picked = ({ title, priceCents, sku, imageUrls }: Pick<Product, Field>): unknown => ({
  ...{ title, priceCents, sku, imageUrls },
});

/** What the service has, by a key. */
async function inService(
  key: 'handle' | 'storeProductId' | 'storeVariantId',
): Promise<Record<string, unknown>> {
  const found = await all(client.products.list());
  return Object.fromEntries<unknown>(
    found.map((product) => [String(product[key]), picked(product)]),
  );
}

const rope = (id: string, sku: string | null): MirrorItem<Field, 'storeProductId'> => ({
  ...{ storeProductId: id, title: `Rope ${id}`, priceCents: 100, sku, imageUrls: [] },
});

describe.each(['jewelery', 'apparel'])('The export %s, which has no SKU', (name) => {
  it.each(['handle', 'storeProductId', 'storeVariantId'] as const)(
    'is mirrored by %s, both ways',
    async (key) => {
      const products = expectedProducts(await readFile(`test/data/${name}.csv`, 'utf8'));
      expect(products.length).toBeGreaterThan(20);
      expect(products.filter(({ sku }) => sku !== null)).toEqual([]);
      const store = new KeyedStore<typeof key, MirrorItem<Field, typeof key>>(key);
      for (const [index, product] of products.entries()) {
        const value = key === 'handle' ? product.handle : `gid://shopify/Product/${index}`;
        const ids = { handle: value, storeProductId: value, storeVariantId: value };
        store.set({ ...product, ...ids, imageUrls: [...product.imageUrls] });
      }
      const run = mirrorOf(key, store);
      const expectEqual = async (): Promise<void> => {
        const mine = [...store.items].map(([value, item]) => [value, picked(item)]);
        expect(await inService(key)).toEqual(Object.fromEntries(mine));
      };
      await run();
      expect([reports, store.writes]).toEqual([[], 0]);
      await expectEqual();
      const [first, second, third] = await all(client.products.list());
      await client.products.update(first?.id ?? '', { priceCents: 1, sku: 'SAME' });
      await client.products.update(second?.id ?? '', { sku: 'SAME' });
      await client.products.delete(third?.id ?? '');
      const last = [...store.items].at(-1);
      if (last) store.set({ ...last[1], title: 'Changed in the store' });
      store.delete([...store.items.keys()].at(-2) ?? '');
      await run();
      await expectEqual();
      expect([reports, store.items.size, store.writes]).toEqual([[], products.length - 2, 3]);
      const before = network.sent.length;
      await run();
      await run();
      expect(network.sent.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET']);
    },
  );
});

describe('A mirror by storeProductId', () => {
  it('copies items with equal SKUs, and reports products without the key', async () => {
    const store = new KeyedStore<'storeProductId', ReturnType<typeof rope>>('storeProductId');
    for (const id of ['1', '2']) store.set(rope(id, 'SAME'));
    store.set(rope('3', null));
    const { data } = await client.products.create({ title: 'Mine', priceCents: 1, sku: 'SAME' });
    const run = mirrorOf('storeProductId', store);
    await run();
    expect(reports).toEqual([`${data.id}: not copied, because it has no storeProductId`]);
    await client.products.delete(data.id);
    await run();
    expect(await inService('storeProductId')).toEqual({
      1: picked(rope('1', 'SAME')),
      2: picked(rope('2', 'SAME')),
      3: picked(rope('3', null)),
    });
    expect(store.writes).toBe(0);
  });

  it("calls the store by the store's own spelling", async () => {
    const store = new KeyedStore<'storeProductId', ReturnType<typeof rope>>('storeProductId');
    const [spaced, accent] = [' gid://a/1\t', 'gid://a/e\u0301'];
    for (const id of [spaced, accent]) store.set(rope(id, null));
    const run = mirrorOf('storeProductId', store);
    await run();
    const [one, two] = await all(client.products.list());
    expect([one?.storeProductId, two?.storeProductId]).toEqual(['gid://a/1', 'gid://a/\u00e9']);
    await client.products.update(one?.id ?? '', { title: 'Changed' });
    await client.products.delete(two?.id ?? '');
    await run();
    expect([...store.items]).toEqual([[spaced, { ...rope(spaced, null), title: 'Changed' }]]);
  });

  it('reports two items with one key, and touches neither', async () => {
    const store = new KeyedStore<'storeProductId', ReturnType<typeof rope>>('storeProductId');
    for (const id of ['7', '7 ']) store.set(rope(id, null));
    await mirrorOf('storeProductId', store)();
    const report =
      '7: not copied, because 2 items of the store have this storeProductId: "7", "7 "';
    expect([reports, await inService('storeProductId'), store.writes]).toEqual([[report], {}, 0]);
  });

  it.each(['answer lost', 'body lost', 'never arrives'] as const)(
    'deletes with one push, also if its delivery is: %s',
    async (delivery) => {
      const store = new KeyedStore<'storeProductId', ReturnType<typeof rope>>('storeProductId');
      for (let n = 0; n < 12; n++) store.set(rope(`${n}`, null));
      const run = mirrorOf('storeProductId', store);
      await run();
      await run();
      for (let n = 0; n < 10; n++) store.delete(`${n}`);
      const before = network.sent.length;
      network.next('served', 'served', delivery);
      await run();
      const bodies = network.sent.slice(before).filter(({ body }) => body.includes('deleted'));
      expect(bodies).toHaveLength(2);
      expect(new Set(bodies.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
      await run();
      expect(Object.keys(await inService('storeProductId'))).toEqual(['10', '11']);
      expect([[...store.items.keys()], reports, store.writes]).toEqual([['10', '11'], [], 0]);
    },
  );
});

describe('A mirror of coupon codes', () => {
  const COUPON_FIELDS = ['discountPercent', 'active'] as const;
  type Coupon = CouponCodeItem<(typeof COUPON_FIELDS)[number]>;

  it('compares codes in any case, and calls the store by its own spelling', async () => {
    const store = new KeyedStore<'code', Coupon>('code');
    const kept = keeper();
    const { couponCodes } = behind;
    const run = async (): Promise<void> =>
      mirror({ ...kept(), couponCodes, store, fields: COUPON_FIELDS });
    for (const code of ['Save10', ' TEN ', 'gone']) {
      store.set({ code, discountPercent: 10, active: true });
    }
    const { data } = await client.couponCodes.create({ code: 'SAVE10', discountPercent: 15 });
    await run();
    expect(store.items.get('Save10')?.discountPercent).toBe(15);
    store.delete('gone');
    await client.couponCodes.update(data.id, { active: false });
    await run();
    expect([...store.items.values()]).toEqual([
      { code: 'Save10', discountPercent: 15, active: false },
      { code: ' TEN ', discountPercent: 10, active: true },
    ]);
    store.set({ code: 'new', discountPercent: 5, active: true });
    store.set({ code: 'NEW', discountPercent: 5, active: true });
    await run();
    await run();
    const report = 'new: not copied, because 2 items of the store have this code: "new", "NEW"';
    expect(reports).toEqual([report, report]);
    expect((await all(client.couponCodes.list())).map(({ code }) => code)).toEqual([
      ...['SAVE10', 'TEN'],
    ]);
  });

  it('by storeDiscountId lets a new item take the code of a deleted one', async () => {
    type Discount = CouponCodeItem<'code' | 'discountPercent', 'storeDiscountId'>;
    const store = new KeyedStore<'storeDiscountId', Discount>('storeDiscountId');
    const kept = keeper();
    const run = async (): Promise<void> =>
      mirror({
        ...{ ...kept(), couponCodes: behind.couponCodes, store },
        ...{ key: 'storeDiscountId', fields: ['code', 'discountPercent'] },
      });
    store.set({ storeDiscountId: 'd1', code: 'SUMMER', discountPercent: 10 });
    await run();
    store.delete('d1');
    store.set({ storeDiscountId: 'd2', code: 'SUMMER', discountPercent: 20 });
    await run();
    const found: readonly CouponCode[] = await all(client.couponCodes.list());
    expect(found).toMatchObject([{ storeDiscountId: 'd2', code: 'SUMMER', discountPercent: 20 }]);
    expect([reports, store.writes]).toEqual([[], 0]);
  });
});
