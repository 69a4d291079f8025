import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/index.ts';
import { connected } from './connected-stand-in.ts';
import { shopAndBrand } from './shopify/shop-and-brand.ts';
import { things } from './stand-ins.ts';
import { shop, shopify } from './command-shop.ts';
import { commandOf } from './commanded.ts';
import { COLLECTION_NAMES } from '../../src/fields.ts';
import { STORES } from '../../src/stores/stores.ts';
import { TESTED_STORES } from '../fixtures/stores.ts';

describe.each(TESTED_STORES)('$name', (store) => {
  it('The option --keep leaves alone what it names, and gives it to what is new', async () => {
    const { client, products, report, sell } = await connected(store);
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

  it.each(COLLECTION_NAMES.filter((name) => !store.collections.includes(name)))(
    'A collection that the store does not have is wrong usage: %s',
    async (collection) => {
      const { sync } = await connected(store);
      const { code, stderr } = await sync(['--collection', collection]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--from ${store.name} reads `)]);
    },
  );

  it('A brand is tied to the store that it was recorded of', async () => {
    const { client, products, report, sell } = await connected(store);
    sell(things(2));
    const stored = async (): Promise<Profile['connection']> =>
      (await client.profile.get()).data.connection;
    await report();
    expect(await stored()).toMatchObject({ storeDomain: null, status: 'DISCONNECTED' });
    await report(['--record']);
    const { storeDomain, status } = await stored();
    expect([storeDomain, status]).toEqual([expect.stringMatching('.'), 'CONNECTED']);
    await client.profile.update({ connection: { storeDomain: 'www.OTHER.example' } });

    sell(things(2).map((thing) => ({ ...thing, title: 'Of another shop' })));
    const error: unknown = expect.stringContaining(
      `The brand's store is www.other.example, and this one is ${storeDomain ?? ''}: nothing was changed.`,
    );
    const eachCollection = store.collections.map((name) => ['--collection', name]);
    for (const words of [['--dry-run'], ['--record'], ...eachCollection]) {
      expect(await report(words)).toMatchObject({ updated: 0, created: 0, error });
    }
    expect((await products()).map(({ title }) => title)).not.toContain('Of another shop');
    expect(await stored()).toMatchObject({ storeDomain: 'www.other.example' });
    expect(await report(['--record', '--new-store'])).toMatchObject({ updated: 2 });
    expect(await stored()).toMatchObject({ storeDomain, lastSyncError: null });
  });

  it('A sync in another currency changes nothing, unless it is the new one', async () => {
    const { client, products, report, sell } = await connected(store);
    sell(things(2));
    await report();
    const [first, second] = await products();
    for (const one of [first, second]) {
      await client.products.update(one?.id ?? '', { currencyCode: 'USD' });
    }
    const error: unknown = expect.stringMatching(
      /^The prices of the store are in EUR, and those of 2 products in the service in USD: nothing was changed\..*--new-currency/,
    );
    const refused = { updated: 0, error };
    expect(await report()).toMatchObject(refused);
    expect(await report(['--dry-run'])).toMatchObject(refused);
    expect(await report(['--delete', '--only', 'sku=T-1'])).toMatchObject(refused);
    expect(await report(['--keep', 'priceCents,currencyCode'])).toMatchObject({
      updated: 0,
      unchanged: 4,
    });
    expect((await products())[0]).toMatchObject({ currencyCode: 'USD' });
    expect(await report(['--new-currency'])).toMatchObject({ updated: 2 });
    expect((await products())[0]).toMatchObject({ currencyCode: 'EUR' });
  });

  it('The option --keep keeps no price as one in another currency', async () => {
    const { client, products, report, sell } = await connected(store);
    sell(things(1));
    await report();
    const [first] = await products();
    const id = first?.id ?? '';
    await client.products.update(id, { priceCents: 1 });
    const keep = ['--keep', 'priceCents'];
    expect(await report(keep)).toMatchObject({ unchanged: 3 });
    await client.products.update(id, { currencyCode: 'JPY' });
    const error: unknown = expect.stringMatching(
      /^--keep priceCents would keep the number of a price in JPY as one in EUR, which is another price: nothing was changed\./,
    );
    for (const words of [keep, [...keep, '--new-currency']]) {
      expect(await report(words)).toMatchObject({ updated: 0, error });
    }
    expect((await products())[0]).toMatchObject({ priceCents: 1, currencyCode: 'JPY' });
  });

  it('The option --record writes to the connection what became of the sync', async () => {
    const { client, report, sell, secrets } = await connected(store);
    sell(things(1));
    const before = new Date().toISOString();
    await report(['--record']);
    const { connection: first } = (await client.profile.get()).data;
    expect(first.lastProductsSyncAt?.localeCompare(before)).toBeGreaterThanOrEqual(0);

    await report(['--record'], { env: { [secrets[0]]: 'wrong' } });
    const { connection: second } = (await client.profile.get()).data;
    expect(second.lastProductsSyncAt).toBe(first.lastProductsSyncAt);
    expect(second.lastSyncError).toMatch(/^products: .*401/);

    await report(['--record']);
    expect((await client.profile.get()).data.connection.lastSyncError).toBeNull();
  });

  it('The option --dry-run names each change, and makes none', async () => {
    const { products, report, sell } = await connected(store);
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

  it('The option --only lets a sync delete only what has its value, and is of this store', async () => {
    const { client, products, report, sell } = await connected(store);
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

  it('The option --variants first makes one product of the variants', async () => {
    const { products, report, sell } = await connected(store);
    sell(things(1));
    const words = ['--variants', 'first', '--delete'];
    await report(words);
    const [, ...shirts] = await products();
    expect(new Set(shirts.map((shirt) => shirt.storeProductId)).size).toBe(shirts.length);
    const pieces = shirts.map(({ storeInventoryQuantity }) => storeInventoryQuantity);
    expect(pieces.reduce((sum, count) => sum + count, 0)).toBe(5);
    const unchanged = { created: 0, updated: 0, unchanged: 1 + shirts.length, deleted: 0 };
    expect(await report(words)).toMatchObject(unchanged);
  });
});

const all = TESTED_STORES.flatMap(({ variables }) => variables);

it.each(all.filter(({ isSecret }) => isSecret))(
  'A secret variable of a store is hidden, whoever repeats it: $name',
  async ({ name }) => {
    const secret = 'abcdefghij-0123456789';
    const command = commandOf({ apiKey: '', baseUrl: 'http://127.0.0.1:9' });
    const { stderr } = await command(['read', `${secret}.csv`], { env: { [name]: secret } });
    expect(stderr).toMatch(/^error: .*\.csv: there is no such file/);
    expect(stderr).not.toContain(secret);
  },
);

it('The variables of a store are in the manual, and in the help', async () => {
  const manual = await readFile('client/README.md', 'utf8');
  const command = commandOf({ apiKey: '', baseUrl: 'http://127.0.0.1:9' });
  const { stdout } = await command(['sync', '--help']);
  for (const { name } of all) expect(stdout).toContain(name);
  for (const { name } of STORES.flatMap(({ variables }) => variables)) {
    expect(manual.includes(`export ${name}=`), `add export ${name}= to client/README.md`).toBe(
      true,
    );
  }
});

it('A shop of Shopify is the one of its primary domain too, which then stays', async () => {
  const { shop, client, sync } = await shopAndBrand();
  shop.primaryDomain = 'www.northwind.example';
  await client.profile.update({ connection: { storeDomain: 'northwind.example' } });
  expect((await sync(['--record'])).code).toBe(0);
  const { storeDomain, status } = (await client.profile.get()).data.connection;
  expect([storeDomain, status]).toEqual(['northwind.example', 'CONNECTED']);
});

it('A file of a store in another currency changes nothing', async () => {
  const { sync, products } = await shop();
  const csv = shopify('a,A,A,1');
  expect((await sync(csv, ['--currency', 'EUR'])).code).toBe(0);
  const { code, stderr } = await sync(csv, []);
  expect([code, stderr]).toEqual([
    1,
    'error: The prices of the file are in USD, and that of 1 product in the service in EUR: nothing was changed. Name the right one with --currency. If USD is right, use --new-currency.\n',
  ]);
  expect((await sync(csv, ['--new-currency'])).code).toBe(0);
  expect(await products()).toMatchObject([{ currencyCode: 'USD' }]);
});

it.each([
  [['--from', 'woocommerce', '--new-store'], /--new-store needs --record/],
  [
    ['--from', 'woocommerce', '--new-store', '--record', '--delete'],
    /^error: --new-store cannot be used with --delete: look at what the new store brings first\.\n/,
  ],
  [['-', '--new-store', '--record'], /--new-store needs --from/],
  [['-', '--new-currency', '--match', 'sku'], /--new-currency is for stores/],
  [['--from', 'shopify', '--new-currency', '--collection', 'coupon-codes'], /is for products/],
])('Options that do not fit a store are wrong usage: %j', async (words, sentence) => {
  const { command } = await shop();
  const { code, stderr } = await command(['sync', ...words], { stdin: '[{"sku":"A"}]' });
  expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
});
