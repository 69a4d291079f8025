import { describe, expect, it } from 'vitest';
import { connectedStore, containing } from './woocommerce-shop.ts';
import type { Fault, StandIn } from './woocommerce-stand-in.ts';
import { coupon, product, variableProduct, variation } from './woocommerce-stand-in.ts';

/** Leaves out of each list what has an id, while the store still has it. */
function hide(store: StandIn, hidden: number): void {
  const { products, variations, coupons } = store;
  const without = <T extends Readonly<Record<string, unknown>>>(all: readonly T[]): T[] =>
    all.filter(({ id }) => id !== hidden);
  store.onRequest = ({ query }) => {
    const isList = query.has('page');
    store.products = isList ? without(products) : products;
    store.variations = isList ? without(variations) : variations;
    store.coupons = isList ? without(coupons) : coupons;
    return undefined;
  };
}

/** A store with ten products and a variable one, and a brand that has them all. @param words options of the sync */
async function syncedStore(words: readonly string[] = []): ReturnType<typeof connectedStore> {
  const connected = await connectedStore();
  const { store, sync } = connected;
  store.products = [
    ...Array.from({ length: 10 }, (_, index) => product(index + 1)),
    variableProduct(200, [201, 202]),
  ];
  store.variations = [variation(201, 200, '38'), variation(202, 200, '39')];
  expect(await sync(words)).toMatchObject({ code: 0 });
  return connected;
}

describe('sync --from woocommerce --delete', () => {
  it.each([
    ['for good', () => []],
    ['to the trash', () => [variableProduct(200, [], { status: 'trash' })]],
  ])('deletes the variations of a product that went %s', async (_, remains) => {
    const { store, report } = await syncedStore();
    store.products = [...store.products.slice(0, 10), ...remains()];
    store.variations = store.variations.map((one) => ({ ...one, status: 'trash' }));

    expect(await report(['--delete'])).toMatchObject({ deleted: 2, kept: [] });
  });

  it('keeps a variation that the list of its product lacks, and that the product does not name', async () => {
    const { store, report } = await syncedStore();
    const all = store.variations;
    store.products = [...store.products.slice(0, 10), variableProduct(200, [202])];
    store.onRequest = ({ path }) => {
      store.variations = path.endsWith('/variations') ? all.slice(1) : all;
      return undefined;
    };

    expect(await report(['--delete'])).toMatchObject({
      deleted: 0,
      kept: [{ key: '201', reason: containing('the store has variation 201') }],
    });
  });

  it('keeps a product that has variations now', async () => {
    const { store, report } = await syncedStore();
    store.products = [variableProduct(1, [301]), ...store.products.slice(1)];
    store.variations = [...store.variations, variation(301, 1, '38')];

    expect(await report(['--delete'])).toMatchObject({
      created: 1,
      deleted: 0,
      kept: [{ key: '1', reason: containing('with variations now') }],
    });
  });

  it('keeps what has other ids than a product of WooCommerce', async () => {
    const { client, report } = await syncedStore();
    const others = ['gid://shopify/ProductVariant/1', '1; 2'].map((storeVariantId) => ({
      title: storeVariantId,
      priceCents: 1,
      storeVariantId,
      source: 'WOOCOMMERCE',
    }));
    await client.products.push(others, { match: 'storeVariantId' });

    expect(await report(['--delete'])).toMatchObject({
      deleted: 0,
      kept: others.map(({ storeVariantId }) => ({
        key: storeVariantId,
        reason: containing('no id of WooCommerce'),
      })),
    });
  });

  // What else is no word of it, the coupons below say.
  it('deletes nothing if the store does not answer its question', async () => {
    const { store, sync, products } = await syncedStore();
    store.products = store.products.slice(2);
    const fault = { status: 404, body: '{"code":"rest_no_route","message":"Keine Route"}' };
    store.onRequest = ({ path }) => (/^\/products\/\d+$/.test(path) ? fault : undefined);

    expect(await sync(['--delete'])).toMatchObject({ code: 1 });
    expect(await products()).toHaveLength(12);
  });

  it('keeps a variation that the store has, though its product is gone', async () => {
    const { store, report } = await syncedStore();
    store.products = store.products.slice(0, 10);

    expect(await report(['--delete'])).toMatchObject({
      deleted: 0,
      kept: [
        { key: '201', reason: containing('the store has variation 201') },
        { key: '202', reason: containing('the store has variation 202') },
      ],
    });
  });

  it('keeps a product that its list lacks, whatever product the service says it is of', async () => {
    const { store, client, products, report } = await syncedStore();
    const [first] = await products();
    await client.products.update(first?.id ?? '', { storeProductId: '99999' });
    hide(store, 1);

    expect(await report(['--delete'])).toMatchObject({
      deleted: 0,
      kept: [{ key: '1', reason: containing('the store has product 1') }],
    });
  });

  // Which ids decide about a product is proved with Shopify.
  it('keeps a product of which the first variant is gone', async () => {
    const words = ['--variants', 'first', '--match', 'handle'];
    const { store, report, products } = await syncedStore(words);
    store.products = [...store.products.slice(0, 10), variableProduct(200, [202])];
    store.variations = [variation(202, 200, '39')];
    hide(store, 200);

    expect(await report([...words, '--delete'])).toMatchObject({ deleted: 0 });
    expect((await products()).some((one) => one.storeProductId === '200')).toBe(true);
  });

  it('asks for many at once', async () => {
    const { store, report } = await connectedStore();
    store.products = Array.from({ length: 220 }, (_, index) => product(index + 1));
    await report();
    store.products = store.products.map((one, index) =>
      index < 110 ? { ...one, status: 'trash' } : one,
    );
    const before = store.asked.length;

    expect(await report(['--delete', '--max-delete', '60%'])).toMatchObject({ deleted: 110 });
    // The currency, two pages, and two lists for each hundred.
    expect(store.asked.length - before).toBe(7);
  });
});

describe('sync --from woocommerce --collection coupon-codes --delete', () => {
  const words = ['--collection', 'coupon-codes', '--delete'];

  const NO_WORD: readonly (readonly [string, Fault])[] = [
    ['404 rest_no_route', { status: 404, body: '{"code":"rest_no_route","message":"Keine"}' }],
    ['404 rest_disabled', { status: 404, body: '{"code":"rest_disabled","message":"Aus"}' }],
    [
      '404 for another kind',
      { status: 404, body: '{"code":"woocommerce_rest_product_invalid_id","message":"Nein"}' },
    ],
    ['an empty object', { body: '{}' }],
    ['a list', { body: '[]' }],
    ['a page of HTML', { body: '<!DOCTYPE html>' }],
    ['an error with status 200', { body: '{"error":"maintenance"}' }],
    ['another coupon', { body: '{"id":99,"code":"c-99","status":"trash"}' }],
    ['no code', { body: '{"id":25,"status":"publish"}' }],
  ];

  it.each(NO_WORD)('deletes nothing if the store answers with %s', async (_, fault) => {
    const { store, sync, codes } = await connectedStore();
    const all = Array.from({ length: 30 }, (_each, index) => coupon(index + 1, `c-${index + 1}`));
    store.coupons = all;
    expect(await sync(words)).toMatchObject({ code: 0 });
    store.coupons = all.slice(0, 24);
    store.onRequest = ({ path }) => (/^\/coupons\/\d+$/.test(path) ? fault : undefined);

    expect(await sync(words)).toMatchObject({ code: 1 });
    expect(await codes()).toHaveLength(30);
  });

  it('keeps a coupon that the store has under another code, if it is matched by its id', async () => {
    const { store, client, codes, report, sync } = await connectedStore();
    store.coupons = ['a', 'b', 'c'].map((code, index) => coupon(index + 1, code));
    expect(await sync(words)).toMatchObject({ code: 0 });
    const [first] = await codes();
    await client.couponCodes.update(first?.id ?? '', { code: 'edited' });
    hide(store, 1);

    expect(await report([...words, '--match', 'storeDiscountId'])).toMatchObject({
      deleted: 0,
      kept: [{ key: '1', reason: containing('the store has coupon 1') }],
    });
  });
});
