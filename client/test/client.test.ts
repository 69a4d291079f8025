import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import type { Product } from '../src/index.ts';
import { Collection } from '../src/collection.ts';
import { BrandProfile } from '../src/profile.ts';
import { BrandApiError, BrandClient } from '../src/index.ts';
import { collectionOf } from '../src/command/service/collections.ts';
import { sync } from '../src/sync/sync.ts';
import { COLLECTION_NAMES } from '../src/fields.ts';
import { collections } from '../../test/support/collections.ts';
import { keyed } from '../../test/support/collections/collection.ts';
import { documentedOperations, sharedOperations } from '../../test/support/document.ts';
import { CALLS, ID } from './client-calls.ts';
import type { Connected } from './connected.ts';
import { newBrand } from './connected.ts';
import { all, failure } from './outcomes.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;

/** What the requests of an operation look like, such as `GET /products/{productId}`. */
function formOf(operation: string): RegExp {
  const [method = '', path = ''] = operation.split(' ');
  return new RegExp(`^${method} /api/brand/v1${path.replaceAll(/\{\w+\}/g, '[0-9a-f-]{36}')}$`);
}

describe('client', () => {
  let connect: Awaited<ReturnType<typeof newBrand>>;
  let client: BrandClient;
  let network: Connected['network'];

  beforeAll(async () => {
    connect = await newBrand();
    ({ client, network } = connect());
  });

  it('The client names itself and the version of its package in each request', async () => {
    await client.profile.get();
    const agents = network.sent.map(({ headers }) => headers.get('User-Agent'));
    expect(agents).toEqual([`brand-integration-client/${manifest.version} (node)`]);
  });

  it('The client reads, changes and replaces the profile', async () => {
    const read = await client.profile.get();
    expect(read.data.brand.brandName).toBe('Raw');
    expect(read.etag).toMatch(/^"[^"]+"$/);
    const website = 'https://example.com';
    const changed = await client.profile.update({ brand: { website } });
    expect(changed.data.brand).toMatchObject({ brandName: 'Raw', website });
    expect(await client.profile.get()).toEqual(changed);
    const input = { brand: { brandName: 'Cooked' }, connection: {} };
    const replaced = await client.profile.replace(input);
    expect(replaced.data.brand).toMatchObject({ brandName: 'Cooked', website: null });
    expect(await client.profile.get()).toEqual(replaced);
  });

  it('The client creates, reads, lists, changes, replaces and deletes a product', async () => {
    const { products } = client;
    const made = await products.create({ title: 'Rope', priceCents: 1250, sku: 'R-1' });
    const { id } = made.data;
    expect(id).toMatch(UUID);
    expect(await products.get(id)).toEqual(made);
    const updated = await products.update(id, { priceCents: 999 }, { ifMatch: made.etag });
    expect(updated.data).toMatchObject({ title: 'Rope', priceCents: 999, sku: 'R-1' });
    expect(await products.get(id)).toEqual(updated);
    const replaced = await products.replace(id, { title: 'String', priceCents: 1 });
    expect(replaced.data).toMatchObject({ id, title: 'String', sku: null });
    const many = await products.createMany([
      { title: 'First', priceCents: 1 },
      { title: 'Second', priceCents: 2 },
    ]);
    expect(many.map(({ title }) => title)).toEqual(['First', 'Second']);
    expect(await all(products.list())).toEqual([replaced.data, ...many]);
    await products.delete(id);
    expect(await all(products.list())).toEqual(many);
  });

  it('The client creates, reads, lists, changes, replaces and deletes a coupon code', async () => {
    const { couponCodes } = client;
    const made = await couponCodes.create({ code: 'Save10', discountPercent: 10.25 });
    expect(made.data).toMatchObject({ code: 'Save10', discountPercent: 10.25, active: true });
    const { id } = made.data;
    expect(await couponCodes.get(id)).toEqual(made);
    const updated = await couponCodes.update(id, { active: false, maxUses: 3 });
    expect(updated.data).toEqual({ ...made.data, active: false, maxUses: 3 });
    const replaced = await couponCodes.replace(id, { code: 'SAVE20', discountPercent: 20 });
    expect(replaced.data).toMatchObject({ id, code: 'SAVE20', active: true, maxUses: null });
    const [second] = await couponCodes.createMany([{ code: 'SAVE30', discountPercent: 30 }]);
    expect(await all(couponCodes.list({ active: true }))).toEqual([replaced.data, second]);
    const [page] = await all(couponCodes.changes());
    expect(page?.changed).toEqual([replaced.data, second]);
    await couponCodes.delete(id);
    const [last] = await all(couponCodes.changes({ since: page?.since }));
    expect(last).toMatchObject({ changed: [], deleted: [id] });
  });

  it.each(collections)('The client follows changes and deletions: $path', async (of) => {
    const connectOwn = await newBrand();
    const { path, key } = of;
    const name = COLLECTION_NAMES.find((one) => `/${one}` === path) ?? expect.fail(path);
    const collection = collectionOf(connectOwn().client, name);
    // An item that has nothing but its key says only that it is there.
    const noted = (value: string): object => ({ ...keyed(of, value), [of.note]: 'x' });
    const [first, second] = [noted('A'), noted('B')];
    await sync(collection, [first, second], { match: key });
    const [page] = await all(collection.changes({}));
    expect(page?.changed).toMatchObject([{ [key]: 'A' }, { [key]: 'B' }]);
    await sync(collection, [first], { match: key, deleteMissing: true });
    const [last] = await all(collection.changes({ since: page?.since }));
    expect(last).toMatchObject({ changed: [], deleted: [page?.changed[1]?.id] });
  });

  it('The client covers every operation of the document in these tests', () => {
    const used = new Set(
      network.sent.map(({ method, path }) =>
        documentedOperations.find((operation) => formOf(operation).test(`${method} ${path}`)),
      ),
    );
    expect(
      sharedOperations.filter((operation) => !used.has(operation)),
      'in client/test/client.test.ts, call each operation with the client',
    ).toEqual([]);
  });

  it('The client has no method that client-calls.ts does not call', () => {
    const methodsOf = ({ prototype }: typeof Collection | typeof BrandProfile): string[] =>
      Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
    const ofProfile = methodsOf(BrandProfile).map((name) => `profile.${name}`);
    const methods = [...methodsOf(Collection), ...ofProfile];
    // A sync is many calls, and has tests of its own.
    const called = [...Object.keys(CALLS), 'sync', 'plan'];
    expect(methods.sort(), 'add it to CALLS in client/test/client-calls.ts').toEqual(called.sort());
  });

  it('The client throws one error class with the status, the word and the text of the service', async () => {
    const stranger = new BrandClient({
      apiKey: 'bik_x',
      baseUrl: new URL(network.sent[0]?.url ?? '').origin,
    });
    const cases: readonly [() => Promise<unknown>, number, string, RegExp][] = [
      [() => client.products.delete(ID), 404, 'not-found', /^Product not found\.$/],
      [() => client.couponCodes.get('a/b?c'), 404, 'not-found', /^Coupon code not found\.$/],
      [
        () => client.products.create({ title: '', priceCents: -1 }),
        400,
        'invalid-request',
        /title: .*; priceCents: /,
      ],
      [() => stranger.profile.get(), 401, 'invalid-key', /^Invalid API key\.$/],
    ];
    for (const [attempt, status, code, text] of cases) {
      const error = await failure(attempt());
      expect(error, error.message).toMatchObject({ name: 'BrandApiError', status, code });
      expect(error.message).toMatch(text);
      expect(error.requestId).toBeTruthy();
      expect(error).toBeInstanceOf(BrandApiError);
    }
  });
});

describe('300 products', () => {
  let connect: Awaited<ReturnType<typeof newBrand>>;
  let made: Product[];

  beforeAll(async () => {
    connect = await newBrand();
    const inputs = Array.from({ length: 300 }, (_, index) => ({
      title: `Number ${index}`,
      priceCents: index,
      sku: index % 100 === 7 ? 'A & B/ü' : null,
    }));
    made = await connect().client.products.createMany(inputs);
  });

  it('A list has all of 300 products in order, in two pages that keep its filters', async () => {
    const { client, network } = connect();
    const { products } = client;
    expect(await all(products.list({ syncStatus: 'NOT_LINKED' }))).toEqual(made);
    const names = ['limit', 'syncStatus', 'cursor'];
    const [first, second] = network.sent.map(({ search }) => names.map((name) => search.get(name)));
    expect(first).toEqual(['250', 'NOT_LINKED', null]);
    expect(second).toEqual(['250', 'NOT_LINKED', expect.any(String)]);
    expect(network.sent).toHaveLength(2);
    const some = await all(products.list({ sku: 'A & B/ü' }));
    expect(some.map(({ priceCents }) => priceCents)).toEqual([7, 107, 207]);
  });

  it('A list has all values of a filter on each of its pages', async () => {
    const { client, network } = connect();
    const syncStatus = ['NOT_LINKED', 'FAILED'] as const;
    expect(await all(client.products.list({ syncStatus }))).toEqual(made);
    const values = network.sent.map(({ search }) => search.getAll('syncStatus'));
    expect(values).toEqual([syncStatus, syncStatus]);
  });

  it('A list and the changes are read only as far as they are needed', async () => {
    const { client, network } = connect();
    const list = client.products.list();
    expect(network.sent).toHaveLength(0);
    let taken = 0;
    for await (const product of list) {
      expect(product).toEqual(made[taken]);
      if (++taken === 250) break;
    }
    expect(network.sent).toHaveLength(1);
    for await (const { changed } of client.products.changes()) {
      expect(changed).toHaveLength(250);
      break;
    }
    expect(network.sent).toHaveLength(2);
  });

  it('The changes begin with all products, and go on from any page', async () => {
    const { client, network } = connect();
    const { products } = client;
    const pages = await all(products.changes());
    expect(pages.flatMap(({ changed }) => changed)).toEqual(made);
    expect(network.sent.map(({ search }) => search.get('limit'))).toEqual([null, null]);
    const since = pages.at(-1)?.since ?? '';
    expect(await all(products.changes({ since }))).toEqual([{ changed: [], deleted: [], since }]);
    const [first = '', second = '', third = ''] = made.map(({ id }) => id);
    await products.update(second, { title: 'Changed' });
    await products.delete(first);
    await products.update(third, { title: 'Changed too' });
    const news = await all(products.changes({ since, limit: 2 }));
    expect(news.map(({ changed, deleted }) => [changed.map(({ id }) => id), deleted])).toEqual([
      [[second], [first]],
      [[third], []],
    ]);
    expect(await all(products.changes({ since: news[0]?.since }))).toEqual(news.slice(1));
  });
});
