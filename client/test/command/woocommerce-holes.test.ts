import { expect, it, onTestFinished, vi } from 'vitest';
import { woocommerce as platform } from '../../src/stores/woocommerce/store.ts';
import { passed } from './passing-time.ts';
import { readStore } from './read-store.ts';
import { connectedStore, containing } from './woocommerce-shop.ts';
import type { Fault, Row, StandIn, StandInOptions } from './woocommerce-stand-in.ts';
import {
  coupon,
  product,
  variableProduct,
  variation,
  woocommerce,
} from './woocommerce-stand-in.ts';

// What a store counts or names, and does not give: the rest is taken, a person is told, and nothing of it is deleted.

const WHOLE_LIST = { hasAllVariations: true };

function products(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => product(index + 1));
}

/** An answer with a list, and with the total that it has, or another one. */
function listOf(rows: readonly Row[], total = rows.length): Fault {
  return { headers: { 'X-WP-Total': String(total) }, body: JSON.stringify(rows) };
}

const IDS_OF_FAMILY = Array.from({ length: 30 }, (_, index) => 201 + index);

/** A store with three products, and one of thirty variations. */
async function family(options: StandInOptions = {}): Promise<StandIn> {
  const store = await woocommerce(options);
  store.products = [...products(3), variableProduct(200, IDS_OF_FAMILY)];
  store.variations = IDS_OF_FAMILY.map((id) => variation(id, 200, String(id)));
  return store;
}

it.each([
  ['in the middle', 150, 'between the ids 149 and 151', { after: 149, before: 151 }],
  ['at the beginning', 1, 'before the id 2', { after: -Infinity, before: 2 }],
  ['on the last page', 248, 'between the ids 247 and 249', { after: 247, before: 249 }],
  ['at the end', 250, 'behind the id 249', { after: 249, before: Infinity }],
])(
  'A list that is shorter than the store counts is taken without what is missing, which is named: %s',
  async (_, broken, where, hole) => {
    const store = await woocommerce();
    store.products = products(250);
    store.broken.add(broken);

    expect(await readStore(platform, store)).toMatchObject({
      items: { length: 249 },
      skipped: [{ key: null, kind: 'problem', reason: containing(where) }],
      stays: [hole],
      doubts: [],
    });
  },
);

it('A list that is shorter than the store counts is taken too if the store refuses to say where it lacks something', async () => {
  const store = await woocommerce();
  store.products = products(250);
  store.broken.add(150);
  store.onRequest = ({ query }) => (query.get('per_page') === '1' ? { status: 403 } : undefined);

  expect(await readStore(platform, store)).toMatchObject({
    items: { length: 249 },
    skipped: [{ kind: 'problem', reason: containing('between the ids 100 and 201') }],
  });
});

it('A list that is shorter than the store counts is followed by large pages, though the store fails when it is asked for more', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = await woocommerce();
  store.products = [...products(250), variableProduct(300, [301])];
  store.variations = [variation(301, 300, '38')];
  store.broken.add(150);
  store.onRequest = ({ query }) => (query.get('per_page') === '1' ? { status: 500 } : undefined);

  const { result } = await passed(readStore(platform, store), 100);
  expect(result).toMatchObject({ items: { length: 250 }, skipped: [{ kind: 'problem' }] });
  expect(store.asked.at(-1)).toMatchObject({ path: '/products/300/variations' });
  expect(store.asked.at(-1)?.query.get('per_page')).toBe('100');
});

it('A list that is shorter than the store counts deletes what is gone elsewhere in it, and nothing that may be missing there', async () => {
  const { store, sync, report, products: listed } = await connectedStore();
  store.products = products(250);
  expect(await sync()).toMatchObject({ code: 0 });
  for (let id = 110; id < 130; id++) store.broken.add(id);
  // They are broken, and 190 is deleted: the store answers for all of them that it knows no such product.
  store.products = store.products.filter(({ id }) => id !== 190 && id !== 50 && id !== 240);

  expect(await report(['--delete'])).toMatchObject({ deleted: 3, withheld: 0 });
  const left = (await listed()).map(({ storeVariantId }) => Number(storeVariantId));
  expect(left).toContain(115);
  expect(left).not.toContain(190);
  expect(left).not.toContain(50);
  expect(left).not.toContain(240);
});

it('A list of coupons that is shorter than the store counts keeps those that it may lack', async () => {
  const { store, sync, report } = await connectedStore();
  const words = ['--collection', 'coupon-codes', '--delete'];
  store.coupons = ['a', 'b', 'c', 'd'].map((code, index) => coupon(index + 1, code));
  expect(await sync(words)).toMatchObject({ code: 0 });
  store.broken.add(2);

  expect(await report(words)).toMatchObject({
    unchanged: 3,
    deleted: 0,
    skipped: [
      { key: null, kind: 'problem', reason: containing('1 is missing between the ids 1 and 3') },
    ],
  });
});

const half = Array.from({ length: 24 }, (_, index) => variation(201 + index, 200, 'x'));

it.each<[string, StandInOptions, Fault, number]>([
  ['in no list of all', {}, listOf([]), 30],
  ['in a list that says it is empty', WHOLE_LIST, listOf([]), 30],
  ['of which there are 24 of 30', {}, listOf(half), 6],
  ['of which 24 of 30 are counted and given', WHOLE_LIST, listOf(half), 6],
  ['of which 24 of 30 are given', {}, listOf(half, 30), 6],
  ['whose list is not there', {}, { status: 404, body: '{"code":"rest_no_route"}' }, 30],
])(
  'Variations that their product names, and the store does not give, are problems, and stay: %s',
  async (_, options, fault, missing) => {
    const store = await family(options);
    store.onRequest = ({ path }) => (path.endsWith('/variations') ? fault : undefined);

    const { items, skipped, stays } = await readStore(platform, store);

    expect(items).toHaveLength(33 - missing);
    const keys = IDS_OF_FAMILY.slice(-missing).map(String);
    const reason = containing('does not give all variations of product 200');
    expect(skipped).toEqual(keys.map((key) => ({ key, kind: 'problem', reason })));
    expect(stays).toEqual(keys.map((value) => ({ field: 'storeVariantId', value })));
  },
);

it('Variations that their product names are read product by product if the list of all lacks them', async () => {
  const store = await family(WHOLE_LIST);
  store.onRequest = ({ path }) => (path === '/variations' ? listOf([]) : undefined);

  const { items, skipped } = await readStore(platform, store);
  expect([items.length, skipped]).toEqual([33, []]);
});

it('Variations are a problem if their product does not say whether it has any', async () => {
  const store = await family();
  const { variations: _, ...silent } = variableProduct(200, []);
  store.products = [...products(3), silent];
  store.onRequest = ({ path }) => (path.endsWith('/variations') ? listOf([]) : undefined);

  const { items, skipped, doubts } = await readStore(platform, store);
  const problem = { key: null, kind: 'problem', reason: containing('product 200') };
  expect([items.length, skipped, doubts.length]).toEqual([3, [problem], 1]);
});

it('Variations that their product does not name are named by where they are', async () => {
  const store = await family();
  store.broken.add(210);
  store.products = [...products(3), variableProduct(200, [201, 202])];

  expect(await readStore(platform, store)).toMatchObject({
    skipped: [{ key: null, kind: 'problem', reason: containing('of product 200') }],
    stays: [{ after: 209, before: 211 }],
  });
});
