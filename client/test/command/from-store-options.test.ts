import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { BrandClient, Product } from '../../src/index.ts';
import type { Special } from './commanded.ts';
import type { ShopProduct } from './shopify/catalogue.ts';
import { onlyVariant, product as shopProduct, variant } from './shopify/catalogue.ts';
import { shopAndBrand } from './shopify/shop-and-brand.ts';
import { connectedStore } from './woocommerce-shop.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';
import { commandOf } from './commanded.ts';
import { STORES } from '../../src/stores/stores.ts';

/** A product of either store, with one variant. */
interface Thing {
  readonly number: number;
  readonly title: string;
  readonly price: string;
}

/** Either store, which also has a shirt in two sizes, with two and three pieces. */
interface Connected {
  readonly client: BrandClient;
  readonly products: () => Promise<Product[]>;
  readonly report: (words?: readonly string[], special?: Special) => Promise<unknown>;
  readonly sell: (things: readonly Thing[]) => void;
  /** The variable of the environment that says who asks. */
  readonly secret: string;
}

function things(count: number, first = 1): Thing[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return { number, title: `Thing ${number}`, price: '8.50' };
  });
}

function shopifyThing({ number, title, price }: Thing): ShopProduct {
  const id = `gid://shopify/ProductVariant/${number}`;
  return shopProduct(title, [onlyVariant({ id, price, sku: `T-${number}` })], {
    id: `gid://shopify/Product/${number}`,
    handle: `thing-${number}`,
  });
}

async function shopifyShop(): Promise<Connected> {
  const { shop, client, products, report } = await shopAndBrand();
  const shirt = shopProduct('Shirt', [
    variant(['S'], { sku: 'SHIRT-S', inventoryQuantity: 2 }),
    variant(['M'], { sku: 'SHIRT-M', inventoryQuantity: 3 }),
  ]);
  const sell: Connected['sell'] = (sold) => {
    const list = shop.catalogue.products;
    list.splice(0, list.length, ...sold.map(shopifyThing), shirt);
  };
  return { client, products, report, sell, secret: 'SHOPIFY_ACCESS_TOKEN' };
}

async function woocommerceStore(): Promise<Connected> {
  const { store, client, products, report } = await connectedStore();
  store.variations = [
    variation(201, 200, '38', { stock_quantity: 2 }),
    variation(202, 200, '39', { stock_quantity: 3 }),
  ];
  const sell: Connected['sell'] = (sold) => {
    store.products = [
      ...sold.map(({ number, title, price }) =>
        product(number, { name: title, regular_price: price, sku: `T-${number}` }),
      ),
      variableProduct(200, [201, 202]),
    ];
  };
  return { client, products, report, sell, secret: 'WOOCOMMERCE_SECRET' };
}

describe.each([
  ['shopify', shopifyShop],
  ['woocommerce', woocommerceStore],
])('sync --from %s', (_, connect) => {
  it('leaves alone what --keep names, and gives it to what is new', async () => {
    const { client, products, report, sell } = await connect();
    sell(things(1));
    await report();
    const [first] = await products();
    await client.products.update(first?.id ?? '', { title: 'Edited' });
    sell([{ number: 1, title: 'Renamed', price: '9.00' }, ...things(1, 2)]);

    expect(await report(['--keep', 'title'])).toMatchObject({ created: 1, updated: 1 });
    const after = (await products()).filter(({ sku }) => sku?.startsWith('T-'));
    expect(after).toMatchObject([
      { title: 'Edited', priceCents: 900 },
      { title: 'Thing 2', priceCents: 850 },
    ]);
  });

  it('writes to the connection what became of it, with --record', async () => {
    const { client, report, sell, secret } = await connect();
    sell(things(1));
    const before = new Date().toISOString();
    await report(['--record']);
    const { connection: first } = (await client.getProfile()).data;
    expect(first.lastProductsSyncAt?.localeCompare(before)).toBeGreaterThanOrEqual(0);

    await report(['--record'], { env: { [secret]: 'wrong' } });
    const { connection: second } = (await client.getProfile()).data;
    expect(second.lastProductsSyncAt).toBe(first.lastProductsSyncAt);
    expect(second.lastSyncError).toMatch(/^products: .*401/);

    await report(['--record']);
    expect((await client.getProfile()).data.connection.lastSyncError).toBeNull();
  });

  it('names each change, and makes none, with --dry-run', async () => {
    const { products, report, sell } = await connect();
    sell(things(12));
    await report();
    const before = await products();
    sell([{ number: 2, title: 'Thing 2', price: '9.00' }, ...things(11, 3)]);

    const said = await report(['--delete', '--dry-run']);
    expect(said).toMatchObject({ dryRun: true, created: 1, updated: 1, deleted: 1 });
    const changes: unknown = expect.arrayContaining([
      expect.objectContaining({ action: 'create', title: 'Thing 13', id: null }),
      expect.objectContaining({ action: 'update', fields: { priceCents: [850, 900] } }),
      expect.objectContaining({ action: 'delete', title: 'Thing 1' }),
    ]);
    expect(said).toHaveProperty('changes', changes);
    expect(await products()).toEqual(before);
  });

  it('deletes at most as many as --max-delete says', async () => {
    const { products, report, sell } = await connect();
    sell(things(12));
    await report();
    sell(things(9));

    const words = ['--delete', '--max-delete'];
    expect(await report([...words, '2'])).toMatchObject({ deleted: 0, withheld: 3 });
    expect(await products()).toHaveLength(14);
    expect(await report([...words, '3'])).toMatchObject({ deleted: 3, withheld: 0 });
    expect(await products()).toHaveLength(11);
  });

  it('deletes only what has the value of --only, and is of this store', async () => {
    const { client, products, report, sell } = await connect();
    sell(things(12));
    await report();
    await client.products.create({ title: 'By hand', priceCents: 1, sku: 'T-99' });
    sell(things(10));

    const only = ['--only', 'sku=T-12', '--only', 'sku=T-99'];
    const words = ['--delete', '--max-delete', '100%', ...only];
    expect(await report(words)).toMatchObject({ deleted: 1, withheld: 0, kept: [] });
    const skus = (await products()).map(({ sku }) => sku);
    expect(skus).toEqual(expect.arrayContaining(['T-11', 'T-99']));
    expect(skus).not.toContain('T-12');
  });

  it('makes one product of the variants, with --variants first', async () => {
    const { products, report, sell } = await connect();
    sell(things(1));
    const words = ['--variants', 'first', '--delete'];

    expect(await report(words)).toMatchObject({ created: 2 });
    const [, shirt] = await products();
    expect(shirt?.storeInventoryQuantity).toBe(5);
    expect(await report(words)).toMatchObject({ created: 0, updated: 0, unchanged: 2, deleted: 0 });
  });
});

describe('The variables of a store', () => {
  const all = STORES.flatMap(({ variables }) => variables);

  it.each(all.filter(({ isSecret }) => isSecret))(
    '$name is hidden, whoever repeats it',
    async ({ name }) => {
      const secret = 'abcdefghij-0123456789';
      const command = commandOf({ apiKey: '', baseUrl: 'http://127.0.0.1:9' });
      const { stderr } = await command(['read', `${secret}.csv`], { env: { [name]: secret } });
      expect(stderr).toMatch(/^error: .*\.csv: there is no such file/);
      expect(stderr).not.toContain(secret);
    },
  );

  it('are in the manual, and in the help', async () => {
    const manual = await readFile('client/README.md', 'utf8');
    const command = commandOf({ apiKey: '', baseUrl: 'http://127.0.0.1:9' });
    const { stdout } = await command(['sync', '--help']);
    for (const { name } of all) {
      expect(manual).toContain(`export ${name}=`);
      expect(stdout).toContain(name);
    }
  });
});
