import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Product } from '../../src/index.ts';
import type { ShopProduct } from './shopify/catalogue.ts';
import { onlyVariant, product as shopProduct } from './shopify/catalogue.ts';
import { shopAndBrand } from './shopify/shop-and-brand.ts';
import { connectedStore } from './woocommerce-shop.ts';
import type { Row } from './woocommerce-stand-in.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';

// The steps of "From a CSV to the store itself" in the manual.

const optionsSchema = z.array(z.object({ name: z.string(), value: z.string() }));
const inventorySchema = z.object({ tracked: z.boolean() });

function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows
    .map((cells) => cells.map((cell) => `"${written(cell).replaceAll('"', '""')}"`).join())
    .map((line) => `${line}\n`)
    .join('');
}

function written(cell: unknown): string {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '';
}

/** The export of a shop of Shopify, which has no ids. */
function shopifyCsv(products: readonly ShopProduct[]): string {
  const rows = products.flatMap((one) =>
    one.variants.map((each, at) => {
      const [first, second] = optionsSchema.parse(each['selectedOptions']);
      const isDefault = first?.value === 'Default Title';
      return [
        one['handle'],
        at === 0 ? one.title : '',
        at === 0 ? one['descriptionHtml'] : '',
        at === 0 ? (isDefault ? 'Title' : first?.name) : '',
        first?.value,
        at === 0 ? second?.name : '',
        second?.value,
        each['sku'],
        each.price,
        inventorySchema.parse(each['inventoryItem']).tracked ? 'shopify' : '',
        each.inventoryQuantity,
        at === 0 ? one.status.toLowerCase() : '',
      ];
    }),
  );
  return csvOf([
    [
      'Handle',
      'Title',
      'Body (HTML)',
      'Option1 Name',
      'Option1 Value',
      'Option2 Name',
      'Option2 Value',
      'Variant SKU',
      'Variant Price',
      'Variant Inventory Tracker',
      'Variant Inventory Qty',
      'Status',
    ],
    ...rows,
  ]);
}

/** The export of a WooCommerce store, with or without the column ID. */
function woocommerceCsv(rows: readonly Row[], hasIds: boolean): string {
  const skus = new Map(rows.map(({ id, sku }) => [id, sku]));
  const cells = rows.map((one) => [
    ...(hasIds ? [one['id']] : []),
    one['type'],
    one['sku'],
    one['name'],
    1,
    skus.get(one['parent_id']),
    one['regular_price'],
    one['type'] === 'variation' ? 'Größe' : '',
    one['type'] === 'variation' ? one['name'] : '',
  ]);
  const header = [
    ...(hasIds ? ['ID'] : []),
    'Type',
    'SKU',
    'Name',
    'Published',
    'Parent',
    'Regular price',
    'Attribute 1 name',
    'Attribute 1 value(s)',
  ];
  return csvOf([header, ...cells]);
}

/** What the service calls each product, by a field of the store. */
function idsBy(field: 'handle' | 'sku', products: readonly Product[]): [unknown, string][] {
  return products.map((one) => [one[field], one.id]);
}

it('A change from a CSV of Shopify to the shop gives the products their ids by their handles, step by step', async () => {
  const { shop, command, sync, report, products } = await shopAndBrand();
  const { catalogue } = shop;
  const file = shopifyCsv(catalogue.products);
  const words = ['sync', '-', '--currency', 'EUR'];
  expect(await command(words, { stdin: file })).toMatchObject({ code: 0 });
  const before = await products();
  expect(before).toHaveLength(48);
  expect(new Set(before.map((one) => one.storeVariantId))).toEqual(new Set([null]));
  expect(new Set(before.map((one) => one.syncStatus))).toEqual(new Set(['NOT_LINKED']));

  const refused = await sync(['--delete']);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(
      'nothing was changed. Run it once with --match handle or --match sku, which gives them their ids.',
    ),
  ]);
  // The sentence is said once.
  expect(refused.stdout).not.toContain('--match');
  expect(await products()).toEqual(before);

  const seen = await report(['--match', 'handle', '--dry-run']);
  expect(seen).toMatchObject({ created: 0, updated: 48, deleted: 0, refused: [], skipped: [] });
  expect(await products()).toEqual(before);

  expect(await sync(['--match', 'handle'])).toMatchObject({ code: 0 });
  const after = await products();
  expect(idsBy('handle', after)).toEqual(idsBy('handle', before));
  expect(new Set(after.map((one) => one.storeVariantId))).toEqual(
    new Set(catalogue.products.flatMap(({ variants }) => variants.map(({ id }) => id))),
  );

  // A resource with a store id is linked, also if it gets the id later. `source` still says where it came from.
  expect(new Set(after.map((one) => one.syncStatus))).toEqual(new Set(['SYNCED']));
  expect(after.every((one) => one.lastSyncedAt === one.updatedAt)).toBe(true);
  expect(after.map((one) => one.source)).toEqual(before.map((one) => one.source));

  expect(await report(['--delete'])).toMatchObject({ unchanged: 48, created: 0, updated: 0 });
  expect(await products()).toEqual(after);

  catalogue.products.splice(2, 1);
  catalogue.products[1]?.variants.splice(0, 1);
  expect(await report(['--delete'])).toMatchObject({ deleted: 2, kept: [], unmatched: 0 });
  expect(await products()).toHaveLength(46);
});

it('A change from a CSV of Shopify to the shop keeps what the shop had deleted before, unless the last CSV deletes it', async () => {
  const { shop, command, sync, report, products } = await shopAndBrand();
  const { catalogue } = shop;
  const old = shopProduct('Long gone', [onlyVariant({ sku: 'GONE' })]);
  const words = ['sync', '-', '--currency', 'EUR'];
  const first = shopifyCsv([...catalogue.products, old]);
  expect(await command(words, { stdin: first })).toMatchObject({ code: 0 });
  expect(await sync(['--match', 'handle'])).toMatchObject({ code: 0 });
  const { stdout: said } = await sync(['--delete']);
  expect(said).toContain('What has none afterwards is not in the list of the store');
  expect(await report(['--delete'])).toMatchObject({ deleted: 0, unmatched: 1 });
  expect(await report(['--match', 'handle', '--delete'])).toMatchObject({
    deleted: 0,
    kept: [{ key: 'long-gone' }],
  });

  const last = [...words, '--delete', '--json'];
  const { stdout } = await command(last, { stdin: shopifyCsv(catalogue.products) });
  expect(JSON.parse(stdout)).toMatchObject({ deleted: 1 });
  expect(await products()).toHaveLength(48);
  expect(await report(['--delete'])).toMatchObject({ unchanged: 48, unmatched: 0 });
});

const parts = [variation(201, 200, '38'), variation(202, 200, '39')];
const list = [...[1, 2, 3].map((id) => product(id)), variableProduct(200, [201, 202])];
const sold = ['HN-1', 'HN-2', 'HN-3', 'HN-V-201', 'HN-V-202'];

it('A change from a CSV of WooCommerce to the store continues where the file was, if it has the column ID', async () => {
  const { store, command, report, products } = await connectedStore();
  [store.products, store.variations] = [list, parts];
  const words = ['sync', '-', '--currency', 'EUR'];
  const stdin = woocommerceCsv([...list, ...parts], true);
  expect(await command(words, { stdin })).toMatchObject({ code: 0 });
  const before = await products();
  expect(before.map(({ sku }) => sku)).toEqual(sold);

  expect(await report(['--delete'])).toMatchObject({ created: 0, updated: 5, deleted: 0 });
  expect(idsBy('sku', await products())).toEqual(idsBy('sku', before));
  expect(await report(['--delete'])).toMatchObject({ unchanged: 5, updated: 0 });

  store.products = [...list.slice(1)];
  expect(await report(['--delete'])).toMatchObject({ deleted: 1, kept: [] });
});

it('A change from a CSV of WooCommerce to the store gives the products their ids by their SKUs, if it has no column ID', async () => {
  const { store, command, sync, report, products } = await connectedStore();
  const stdin = woocommerceCsv([...list, ...parts], false);
  // One without an SKU, which no such file can identify.
  store.products = [...list, product(4, { sku: '' })];
  store.variations = parts;
  const words = ['sync', '-', '--currency', 'EUR', '--match', 'sku'];
  expect(await command(words, { stdin })).toMatchObject({ code: 0 });
  const before = await products();
  expect(before.map(({ sku, storeVariantId }) => [sku, storeVariantId])).toEqual(
    sold.map((sku) => [sku, null]),
  );

  const refused = await sync();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--match sku')]);
  expect(await products()).toEqual(before);

  const match = ['--match', 'sku'];
  expect(await report([...match, '--dry-run'])).toMatchObject({ created: 0, updated: 5 });
  expect(await products()).toEqual(before);
  expect(await report(match)).toMatchObject({ updated: 5, skipped: [{ kind: 'problem' }] });
  expect((await products()).map(({ id, storeVariantId }) => [id, storeVariantId])).toEqual(
    before.map(({ id }, at) => [id, ['1', '2', '3', '201', '202'][at]]),
  );

  expect(await report(['--delete'])).toMatchObject({ created: 1, unchanged: 5, deleted: 0 });
  expect(await report(['--delete'])).toMatchObject({ created: 0, unchanged: 6, updated: 0 });
});
