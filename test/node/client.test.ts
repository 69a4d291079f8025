import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Product } from '../../client/src/index.ts';
import { BrandApiError, BrandClient } from '../../client/src/index.ts';
import { documentedOperations } from '../support/document.ts';
import { all, failure } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';

const NOBODY = '01890000-0000-7000-8000-000000000000';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;

let server: SharedServer;
let baseUrl: string;
let apiKey: string;

beforeAll(async () => {
  server = await shareServer();
  baseUrl = `http://127.0.0.1:${server.port}`;
  apiKey = server.apiKey;
});

afterAll(async () => {
  await server.stop();
});

/** A client of the brand, and what goes through its network. */
function connect(...deliveries: readonly Delivery[]): {
  client: BrandClient;
  network: FaultyNetwork;
} {
  const network = new FaultyNetwork(...deliveries);
  return { client: new BrandClient({ apiKey, baseUrl, fetch: network.fetch }), network };
}

/** What the requests of an operation look like, such as `GET /products/{productId}`. */
function formOf(operation: string): RegExp {
  const [method = '', path = ''] = operation.split(' ');
  return new RegExp(`^${method} /api/brand/v1${path.replaceAll(/\{\w+\}/g, '[0-9a-f-]{36}')}$`);
}

describe('The client', () => {
  let client: BrandClient;
  let network: FaultyNetwork;

  beforeAll(() => {
    ({ client, network } = connect());
  });

  it('reads, changes and replaces the profile', async () => {
    const read = await client.getProfile();
    expect(read.data.brand.brandName).toBe('Raw');
    expect(read.etag).toMatch(/^"[^"]+"$/);

    const changed = await client.updateProfile({
      brand: { website: 'https://example.com' },
      connection: { status: 'CONNECTED', storeDomain: 'raw.example.com' },
    });
    expect(changed.etag).not.toBe(read.etag);
    expect(changed.data.brand).toMatchObject({ brandName: 'Raw', website: 'https://example.com' });
    expect(changed.data.connection).toMatchObject({
      status: 'CONNECTED',
      storeDomain: 'raw.example.com',
    });
    expect(await client.getProfile()).toEqual(changed);

    const replaced = await client.replaceProfile({
      brand: { brandName: 'Cooked' },
      connection: {},
    });
    expect(replaced.data.brand).toMatchObject({ brandName: 'Cooked', website: null });
    expect(replaced.data.connection).toMatchObject({ status: 'DISCONNECTED', storeDomain: null });
    expect(await client.getProfile()).toEqual(replaced);
  });

  it('creates, reads, lists, changes, replaces and deletes a product', async () => {
    const { products } = client;
    const made = await products.create({ title: 'Rope', priceCents: 1250, sku: 'R-1' });
    expect(made.data).toMatchObject({ title: 'Rope', priceCents: 1250, sku: 'R-1' });
    const { id } = made.data;
    expect(id).toMatch(UUID);
    expect(await products.get(id)).toEqual(made);

    const updated = await products.update(id, { priceCents: 999, storeStatus: 'ACTIVE' });
    expect(updated.data).toMatchObject({ title: 'Rope', priceCents: 999, storeStatus: 'ACTIVE' });
    expect(await products.get(id)).toEqual(updated);
    expect(await all(products.list())).toEqual([updated.data]);

    const replaced = await products.replace(id, { title: 'String', priceCents: 1 });
    expect(replaced.data).toMatchObject({ id, title: 'String', sku: null, storeStatus: null });
    expect(await products.get(id)).toEqual(replaced);

    const many = await products.createMany([
      { title: 'First', priceCents: 1 },
      { title: 'Second', priceCents: 2 },
    ]);
    expect(many.map(({ title }) => title)).toEqual(['First', 'Second']);
    expect(await all(products.list())).toEqual([replaced.data, ...many]);

    await products.delete(id);
    expect(await all(products.list())).toEqual(many);
  });

  it('creates, reads, lists, changes, replaces and deletes a coupon code', async () => {
    const { couponCodes } = client;
    const made = await couponCodes.create({ code: 'Save10', discountPercent: 10.25 });
    expect(made.data).toMatchObject({ code: 'Save10', discountPercent: 10.25, active: true });
    const { id } = made.data;
    expect(await couponCodes.get(id)).toEqual(made);

    const updated = await couponCodes.update(id, { active: false, maxUses: 3 });
    expect(updated.data).toEqual({ ...made.data, active: false, maxUses: 3 });
    const replaced = await couponCodes.replace(id, { code: 'SAVE20', discountPercent: 20 });
    expect(replaced.data).toMatchObject({ id, code: 'SAVE20', active: true, maxUses: null });
    expect(await couponCodes.get(id)).toEqual(replaced);

    const [second] = await couponCodes.createMany([{ code: 'SAVE30', discountPercent: 30 }]);
    expect(await all(couponCodes.list())).toEqual([replaced.data, second]);

    await couponCodes.delete(id);
    expect(await all(couponCodes.list())).toEqual([second]);
  });

  it('covers every operation of the document in these three tests', () => {
    const used = new Set(
      network.sent.map(({ method, path }) =>
        documentedOperations.find((operation) => formOf(operation).test(`${method} ${path}`)),
      ),
    );
    expect(
      [...used].sort(),
      'in test/node/client.test.ts, call each operation with the client',
    ).toEqual([...documentedOperations].sort());
  });

  it('sends the given entity tag, and throws error 412 if it does not match', async () => {
    const { client, network } = connect();
    const made = await client.products.create({ title: 'Contested', priceCents: 1 });
    const { id } = made.data;
    const ifMatch = made.etag;
    const changed = await client.products.update(id, { priceCents: 2 }, { ifMatch });
    expect(network.sent.at(-1)?.headers.get('If-Match')).toBe(ifMatch);

    const attempts = [
      () => client.products.update(id, { priceCents: 3 }, { ifMatch }),
      () => client.products.replace(id, { title: 'Lost', priceCents: 3 }, { ifMatch }),
      () => client.products.delete(id, { ifMatch }),
      () => client.updateProfile({ brand: { brandName: 'No' } }, { ifMatch }),
      () => client.replaceProfile({ brand: { brandName: 'No' }, connection: {} }, { ifMatch }),
    ];
    for (const attempt of attempts) {
      const before = network.sent.length;
      const error = await failure(attempt());
      expect(error.status).toBe(412);
      expect(error.message).toMatch(/^Precondition failed/);
      expect(error.requestId).toBe(network.received.at(-1)?.headers.get('X-Request-Id'));
      expect(error.requestId).toBeTruthy();
      expect(network.sent).toHaveLength(before + 1);
    }
    expect(await client.products.get(id)).toEqual(changed);
    await client.products.delete(id, { ifMatch: changed.etag });
  });

  it('throws one error class with the status and the text of the service', async () => {
    const { client } = connect();
    const stranger = new BrandClient({ apiKey: 'bik_nonsense', baseUrl });
    const cases: readonly [() => Promise<unknown>, number, RegExp][] = [
      [() => client.products.get(NOBODY), 404, /^Product not found\.$/],
      [() => client.products.delete(NOBODY), 404, /^Product not found\.$/],
      [() => client.couponCodes.get('a/b?c'), 404, /^Coupon code not found\.$/],
      [() => client.products.create({ title: '', priceCents: -1 }), 400, /title: .*; priceCents: /],
      [() => all(client.products.list({ updatedSince: 'soon' })), 400, /updatedSince/],
      [
        () => client.couponCodes.create({ code: 'save30', discountPercent: 1 }),
        409,
        /already exists/,
      ],
      [() => stranger.getProfile(), 401, /^Invalid API key\.$/],
    ];
    for (const [attempt, status, text] of cases) {
      const error = await failure(attempt());
      expect([error.name, error.status], error.message).toEqual(['BrandApiError', status]);
      expect(error.message).toMatch(text);
      expect(error.requestId).toBeTruthy();
      expect(error).toBeInstanceOf(BrandApiError);
    }
  });

  it('sends the last bookmark back', async () => {
    const { client, network } = connect();
    for (let count = 0; count < 3; count++) await client.getProfile();
    await failure(client.products.get(NOBODY));
    await client.getProfile();
    const given = network.received.map(({ headers }) => headers.get('x-d1-bookmark'));
    const returned = network.sent.map(({ headers }) => headers.get('x-d1-bookmark'));
    expect(given.every((bookmark) => Boolean(bookmark))).toBe(true);
    expect(returned).toEqual([null, ...given.slice(0, -1)]);
  });
});

describe('A list of 300 products', () => {
  let made: Product[];

  beforeAll(async () => {
    apiKey = await server.newBrand();
    const inputs = Array.from({ length: 300 }, (_, index) => ({
      title: `Number ${index}`,
      priceCents: index,
      sku: index % 100 === 7 ? 'A & B/ü' : null,
    }));
    made = await connect().client.products.createMany(inputs);
  });

  it('is complete and in order, in two pages', async () => {
    const { client, network } = connect();
    expect(await all(client.products.list())).toEqual(made);
    expect(network.sent).toHaveLength(2);
    expect(network.sent.map(({ search }) => search.get('limit'))).toEqual(['250', '250']);
    expect(network.sent.map(({ search }) => search.has('cursor'))).toEqual([false, true]);
  });

  it('is fetched only as far as it is read', async () => {
    const { client, network } = connect();
    const list = client.products.list();
    expect(network.sent).toHaveLength(0);
    let taken = 0;
    for await (const product of list) {
      expect(product).toEqual(made[taken]);
      if (++taken === 250) break;
    }
    expect(network.sent).toHaveLength(1);
  });

  it('keeps its filters on every page', async () => {
    const { client, network } = connect();
    const updatedSince = made[0]?.updatedAt ?? '';
    const some = await all(client.products.list({ updatedSince, sku: 'A & B/ü' }));
    expect(some.map(({ priceCents }) => priceCents)).toEqual([7, 107, 207]);
    expect(network.sent).toHaveLength(1);

    const linked = await all(client.products.list({ syncStatus: 'NOT_LINKED' }));
    expect(linked).toEqual(made);
    expect(network.sent[2]?.search.get('syncStatus')).toBe('NOT_LINKED');
  });
});
