import { describe, expect, it } from 'vitest';
import { connectedStore, containing } from './woocommerce-shop.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';

/** A store with ten products and a variable one, and a brand that has them all. */
async function syncedStore(): ReturnType<typeof connectedStore> {
  const connected = await connectedStore();
  const { store, sync } = connected;
  store.products = [
    ...Array.from({ length: 10 }, (_, index) => product(index + 1)),
    variableProduct(200, [201, 202]),
  ];
  store.variations = [variation(201, 200, '38'), variation(202, 200, '39')];
  expect(await sync()).toMatchObject({ code: 0 });
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

  it('keeps a variation that the list of its product lacks', async () => {
    const { store, report } = await syncedStore();
    const all = store.variations;
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

  it.each([
    ['a page of HTML', { body: '<!DOCTYPE html>' }],
    ['an error', { status: 404, body: '{"code":"rest_no_route","message":"Keine Route"}' }],
    ['another product', { body: '{"id":77,"status":"trash"}' }],
  ])('deletes nothing if the store answers its question with %s', async (_, fault) => {
    const { store, sync, products } = await syncedStore();
    store.products = store.products.slice(2);
    store.onRequest = ({ path }) => (/^\/products\/\d+$/.test(path) ? fault : undefined);

    expect(await sync(['--delete'])).toMatchObject({ code: 1 });
    expect(await products()).toHaveLength(12);
  });

  it('asks for many at once', async () => {
    const { store, report } = await connectedStore();
    store.products = Array.from({ length: 300 }, (_, index) => product(index + 1));
    await report();
    store.products = store.products.map((one, index) =>
      index < 150 ? { ...one, status: 'trash' } : one,
    );
    const before = store.asked.length;

    expect(await report(['--delete', '--max-delete', '60%'])).toMatchObject({ deleted: 150 });
    // The currency, two pages, and two lists for each hundred.
    expect(store.asked.length - before).toBe(7);
  });
});
