import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { Product } from '../../src/index.ts';
import { record, records } from '../../../test/node/processes.ts';
import { connectedStore, containing } from './woocommerce-shop.ts';
import type { Row } from './woocommerce-stand-in.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';

// One odd value in a store costs that value: the rest of its product is taken, and all others.

const PHOTO = 'https://hallenladen.example/a.jpg';

/** The images of a product with these addresses. */
function images(...urls: readonly unknown[]): Row {
  return { images: urls.map((src, index) => ({ id: index + 1, src })) };
}

describe('A value that the service refuses', () => {
  it.each([
    [
      'an address that is none',
      images('photo one.jpg', PHOTO),
      'imageUrls.0',
      { imageUrl: PHOTO, imageUrls: [PHOTO] },
    ],
    [
      'addresses that are none',
      images('a.jpg', 'b.jpg'),
      'imageUrls.1',
      { imageUrl: null, imageUrls: [] },
    ],
    [
      'too many images',
      images(...Array.from({ length: 251 }, (_, at) => `${PHOTO}?${at}`)),
      'imageUrls',
      { imageUrl: `${PHOTO}?0` },
    ],
    [
      'a description of 70,000 characters',
      { description: 'x'.repeat(70_000) },
      'description',
      { description: '' },
    ],
    ['a SKU of 300', { sku: 'S'.repeat(300) }, 'sku', { sku: null }],
    [
      'a stock that is too large',
      { stock_quantity: 2 ** 40 },
      'storeInventoryQuantity',
      { storeInventoryQuantity: 0 },
    ],
    [
      'a time that is none',
      { date_modified_gmt: 'yesterday' },
      'sourceUpdatedAt',
      { sourceUpdatedAt: null },
    ],
    ['a price that is too large', { regular_price: '99999999999.00' }, 'priceCents', undefined],
    ['too many marks', { name: `e${'\u0301'.repeat(40)}` }, 'title', undefined],
  ])('is left out of a new product: %s', async (_, members, field, expected) => {
    const { store, report, products } = await connectedStore();
    store.products = [product(1, members), product(2)];
    const said = await report();
    const whole = expected === undefined;
    expect(said).toMatchObject({ created: whole ? 1 : 2, refused: [] });
    const skipped = records(record(said)['skipped']);
    expect(skipped.map((one) => one['field'])).toContain(whole ? undefined : field);
    expect(skipped).toContainEqual(
      expect.objectContaining({
        key: '1',
        kind: 'problem',
        reason: containing(`${whole ? 'its ' : ''}${field}: `),
      }),
    );
    const listed = await products();
    expect(listed).toHaveLength(whole ? 1 : 2);
    const odd = listed.find(({ storeVariantId }) => storeVariantId === '1');
    if (expected === undefined) expect(odd).toBeUndefined();
    else expect(odd).toMatchObject({ title: 'Griff 1', ...expected });
  });

  it('keeps the field of a product that exists, and the rest goes on; a dry run says the same', async () => {
    const { store, sync, report, products } = await connectedStore();
    store.products = [product(1, { ...images(PHOTO), sku: 'OLD' })];
    await sync();
    store.products = [product(1, { ...images('a b'), sku: 'S'.repeat(300), stock_quantity: 9 })];
    const tried = record(await report(['--dry-run']));
    const done = record(await report());
    expect(done['skipped']).toEqual(tried['skipped']);
    // The main image is the first one, and is no other odd value.
    const fields = records(done['skipped']).map(({ field }) => field);
    expect(fields.sort()).toEqual(['imageUrls.0', 'sku']);
    expect(done).toMatchObject({ updated: 1, refused: [] });
    expect(tried).toMatchObject({
      updated: 1,
      changes: [{ fields: { storeInventoryQuantity: [4, 9] } }],
    });
    expect(Object.keys(record(record(records(tried['changes'])[0])['fields']))).not.toContain(
      'sku',
    );
    expect(await products()).toMatchObject([
      { sku: 'OLD', storeInventoryQuantity: 9, imageUrls: [] },
    ]);
    const [before] = await products();
    expect(await report()).toMatchObject({ updated: 0, unchanged: 1, refused: [] });
    expect(await products()).toEqual([before]);
  });

  it('costs nothing where nothing is odd', async () => {
    const { store, sync } = await connectedStore();
    store.products = [product(1), product(2)];
    await sync();
    const methods: string[] = [];
    const counting: typeof fetch = (input, init) => {
      methods.push(init?.method ?? 'GET');
      return fetch(input, init);
    };
    store.products = [product(1, { stock_quantity: 8 }), product(2)];
    await sync([], { fetch: counting });
    expect(methods.filter((method) => method === 'POST')).toHaveLength(1);
  });
});

/** The fields of the service that a member of a product or a variation decides. */
const DECIDED: Readonly<Record<string, readonly string[]>> = {
  name: ['title'],
  slug: ['handle'],
  description: ['description'],
  status: ['storeStatus'],
  sku: ['sku'],
  regular_price: ['priceCents', 'currencyCode'],
  sale_price: [],
  manage_stock: ['storeInventoryQuantity'],
  stock_quantity: ['storeInventoryQuantity'],
  stock_status: ['storeInventoryQuantity'],
  images: ['imageUrl', 'imageUrls'],
  image: ['imageUrl', 'imageUrls'],
  attributes: ['title', 'handle'],
  date_modified_gmt: ['sourceUpdatedAt'],
};

const ODD = fc.constantFrom<unknown>(
  null,
  true,
  5,
  -1,
  2.5,
  1e13,
  '',
  ' ',
  'x'.repeat(70_000),
  '<b>',
  'a\u0000b\u009f',
  `e${'\u0301'.repeat(40)}`,
  '12,5',
  '-3',
  '8.2645',
  '2026-13-45',
  'photo one.jpg',
  [],
  {},
  ['x', 7, null],
  [{ src: 'a b' }, { src: PHOTO }],
);

/** A product without what the service assigns. */
function comparable({
  id: _,
  createdAt: _c,
  updatedAt: _u,
  lastSyncedAt: _l,
  ...rest
}: Product): Row {
  return rest;
}

it('An odd value anywhere changes nothing else, is reported, and a second night writes nothing', async () => {
  const { runs, seed } = inject('fuzz');
  const catalogue = (stock: number): { products: Row[]; variations: Row[] } => ({
    products: [
      product(1, { ...images(PHOTO), stock_quantity: stock }),
      product(2, { stock_quantity: stock }),
      variableProduct(10, [11, 12], { name: 'Schuh' }),
    ],
    variations: [
      variation(11, 10, '38', { stock_quantity: stock }),
      variation(12, 10, '39', { stock_quantity: stock }),
    ],
  });
  const place = fc.constantFrom(['products', 0], ['products', 2], ['variations', 0] as const);
  const usual = await connectedStore();
  Object.assign(usual.store, catalogue(7));
  await usual.sync();
  const expected = new Map(
    (await usual.products()).map((one) => [one.storeVariantId, comparable(one)]),
  );

  await fc.assert(
    fc.asyncProperty(
      place,
      fc.constantFrom(...Object.keys(DECIDED)),
      ODD,
      fc.boolean(),
      async ([list, at], member, value, isNew) => {
        const { store, sync, report, products } = await connectedStore();
        Object.assign(store, catalogue(6));
        if (!isNew) await sync();
        const next = catalogue(7);
        const [odd] = (list === 'products' ? next.products : next.variations).slice(at);
        const hadMember = odd !== undefined && member in odd;
        Object.assign(odd ?? {}, { [member]: value });
        Object.assign(store, next);

        const said = record(await report());
        expect(said['error']).toBeUndefined();
        expect(said['refused']).toEqual([]);
        const skipped = records(said['skipped']);
        const keys = list === 'variations' ? ['11'] : at === 0 ? ['1'] : ['11', '12'];
        for (const { key } of skipped) expect(keys).toContain(key);
        const found = new Map((await products()).map((one) => [one.storeVariantId, one]));
        for (const [id, whole] of expected) {
          const one = found.get(id);
          if (one === undefined) {
            // A new product without a title or a price.
            expect([isNew, skipped.some(({ key, field }) => key === id && !field)]).toEqual([
              true,
              true,
            ]);
            continue;
          }
          const mayDiffer = keys.includes(String(id)) ? (DECIDED[member] ?? []) : [];
          const rest = (all: Row): unknown[] =>
            Object.entries(all).filter(([field]) => !mayDiffer.includes(field));
          expect(rest(comparable(one))).toEqual(rest(whole));
        }
        expect(hadMember || list === 'variations' || member === 'image').toBe(true);

        await report();
        const again = new Map((await products()).map((one) => [one.storeVariantId, one]));
        expect(again).toEqual(found);
      },
    ),
    { numRuns: runs, seed },
  );
});
