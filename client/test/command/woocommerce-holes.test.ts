import { describe, expect, it } from 'vitest';
import { connectedStore, containing } from './woocommerce-shop.ts';
import type { Fault, Row } from './woocommerce-stand-in.ts';
import { coupon, product, variableProduct, variation } from './woocommerce-stand-in.ts';

// What a store counts or names, and does not give: the rest is taken, a person is told, and nothing of it is deleted.

const WHOLE_LIST = { hasAllVariations: true };

function products(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => product(index + 1));
}

/** An answer with a list, and with the total that it has, or another one. */
function listOf(rows: readonly Row[], total = rows.length): Fault {
  return { headers: { 'X-WP-Total': String(total) }, body: JSON.stringify(rows) };
}

/** A store with a product of thirty variations, which a brand has. */
async function syncedFamily(
  options: Parameters<typeof connectedStore>[0],
): ReturnType<typeof connectedStore> {
  const connected = await connectedStore(options);
  const { store, sync } = connected;
  const ids = Array.from({ length: 30 }, (_, index) => 201 + index);
  store.products = [...products(3), variableProduct(200, ids)];
  store.variations = ids.map((id) => variation(id, 200, String(id)));
  expect(await sync()).toMatchObject({ code: 0 });
  return connected;
}

describe('A list that is shorter than the store counts', () => {
  it.each([
    ['in the middle', 150, 'between the ids 149 and 151'],
    ['at the beginning', 1, 'before the id 2'],
    ['on the last page', 248, 'between the ids 247 and 249'],
    ['at the end', 250, 'behind the id 249'],
  ])('is taken without what is missing %s, which is named', async (_, broken, where) => {
    const { store, sync, report, products: listed } = await connectedStore();
    store.products = products(250);
    expect(await sync()).toMatchObject({ code: 0 });
    store.broken.add(broken);
    store.products = store.products.map((one) => ({ ...one, name: `Neu ${String(one['id'])}` }));

    expect(await report(['--delete'])).toMatchObject({
      updated: 249,
      deleted: 0,
      withheld: 0,
      kept: [],
      skipped: [{ key: null, kind: 'problem', reason: containing(where) }],
    });
    expect(await sync(['--delete'])).toMatchObject({ code: 1 });
    expect(await listed()).toHaveLength(250);
  });

  it('is taken too if the store refuses to say where it lacks something', async () => {
    const { store, report } = await connectedStore();
    store.products = products(250);
    store.broken.add(150);
    store.onRequest = ({ query }) => (query.get('per_page') === '1' ? { status: 403 } : undefined);

    expect(await report(['--delete'])).toMatchObject({
      created: 249,
      skipped: [{ kind: 'problem', reason: containing('between the ids 100 and 201') }],
    });
  });

  it('is followed by large pages, though the store fails when it is asked where it lacks something', async () => {
    const { store, report } = await connectedStore();
    store.products = [...products(250), variableProduct(300, [301])];
    store.variations = [variation(301, 300, '38')];
    store.broken.add(150);
    store.onRequest = ({ query }) => (query.get('per_page') === '1' ? { status: 500 } : undefined);

    expect(await report()).toMatchObject({ created: 250, skipped: [{ kind: 'problem' }] });
    expect(store.asked.at(-1)).toMatchObject({ path: '/products/300/variations' });
    expect(store.asked.at(-1)?.query.get('per_page')).toBe('100');
  });

  it('deletes what is gone elsewhere in it', async () => {
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

  it('of coupons keeps those that it may lack', async () => {
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
});

describe('Variations that their product names, and the store does not give,', () => {
  const half = Array.from({ length: 24 }, (_, index) => variation(201 + index, 200, 'x'));

  it.each<[string, typeof WHOLE_LIST | object, RegExp, Fault, number]>([
    ['in no list of all', {}, /\/variations$/, listOf([]), 30],
    ['in a list that says it is empty', WHOLE_LIST, /\/variations$/, listOf([]), 30],
    ['of which there are 24 of 30', {}, /\/variations$/, listOf(half), 6],
    ['of which 24 of 30 are counted and given', WHOLE_LIST, /\/variations$/, listOf(half), 6],
    ['of which 24 of 30 are given', {}, /\/variations$/, listOf(half, 30), 6],
    [
      'whose list is not there',
      {},
      /\/variations$/,
      { status: 404, body: '{"code":"rest_no_route"}' },
      30,
    ],
  ])('are problems, and stay: %s', async (_, options, path, fault, missing) => {
    const { store, report, sync, products: listed } = await syncedFamily(options);
    store.onRequest = (asked) => (path.test(asked.path) ? fault : undefined);

    const said = await report(['--delete']);

    expect(said).toMatchObject({ deleted: 0, withheld: 0, kept: [] });
    expect(said).toHaveProperty('skipped.length', missing);
    expect(said).toMatchObject({
      skipped: Array.from({ length: missing }, (_each, index) => ({
        key: String(231 - missing + index),
        kind: 'problem',
        reason: containing('does not give all variations of product 200'),
      })),
    });
    expect(await sync()).toMatchObject({ code: 1 });
    expect(await listed()).toHaveLength(33);
  });

  it('are read product by product if the list of all lacks them', async () => {
    const { store, sync, products: listed } = await syncedFamily(WHOLE_LIST);
    store.onRequest = ({ path }) => (path === '/variations' ? listOf([]) : undefined);
    store.variations = store.variations.map((one) => ({ ...one, regular_price: '1.00' }));

    expect(await sync()).toMatchObject({ code: 0 });
    expect((await listed()).filter(({ priceCents }) => priceCents === 100)).toHaveLength(30);
  });

  it('are a problem if the product does not say whether it has any', async () => {
    const { store, report } = await syncedFamily({});
    const { variations: _, ...silent } = variableProduct(200, []);
    store.products = [...products(3), silent];
    store.onRequest = ({ path }) => (path.endsWith('/variations') ? listOf([]) : undefined);

    expect(await report(['--delete'])).toMatchObject({
      deleted: 0,
      withheld: 30,
      skipped: [{ kind: 'problem', reason: containing('product 200') }],
    });
  });

  it('and that it does not name, are named by where they are', async () => {
    const { store, report } = await syncedFamily({});
    store.broken.add(210);
    store.products = [...products(3), variableProduct(200, [201, 202])];

    expect(await report(['--delete'])).toMatchObject({
      deleted: 0,
      kept: [],
      skipped: [{ key: null, kind: 'problem', reason: containing('of product 200') }],
    });
  });
});
