import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import { all, failure } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
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
  const { apiKey, port } = server;
  const baseUrl = `http://127.0.0.1:${port}`;
  return { client: new BrandClient({ apiKey, baseUrl, fetch: network.fetch }), network };
}

/** An answer of the service that asks to come again. */
function refusal(status: number, retryAfter?: string): Response {
  const headers = { ...(retryAfter !== undefined && { 'Retry-After': retryAfter }) };
  return Response.json({ error: `Refused with ${status}.` }, { status, headers });
}

/** How many products there are of a SKU. */
async function count(sku: string): Promise<number> {
  return (await all(connect().client.products.list({ sku }))).length;
}

const LOST = ['answer lost', 'body lost', 'never arrives'] as const;

describe('A request that is retried', () => {
  it.each([503, 429])('after %d waits as long as Retry-After says', async (status) => {
    const { client, network } = connect(refusal(status, '1'));
    await client.getProfile();
    expect(network.sent).toHaveLength(2);
    const [first, second] = network.sent.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(990);
  });

  it('waits until the date that Retry-After names', async () => {
    const date = new Date(Date.now() + 2000).toUTCString();
    const { client, network } = connect(refusal(503, date));
    await client.getProfile();
    const [first, second] = network.sent.map(({ at }) => at);
    // The date has no milliseconds.
    expect(Number(second) - Number(first)).toBeGreaterThan(900);
  });

  it.each(LOST)('creates only one product: %s', async (delivery) => {
    const sku = `create, ${delivery}`;
    const { client, network } = connect(delivery);
    const made = await client.products.create({ title: 'Once', priceCents: 1, sku });
    expect(await client.products.get(made.data.id)).toEqual(made);
    expect(await count(sku)).toBe(1);

    const [first, second] = network.sent;
    expect(first?.headers.get('Idempotency-Key')).toBeTruthy();
    expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
    expect(second?.body).toBe(first?.body);
  });

  it.each(LOST)('creates many products only once: %s', async (delivery) => {
    const sku = `create many, ${delivery}`;
    const inputs = ['A', 'B', 'C'].map((title) => ({ title, priceCents: 1, sku }));
    const made = await connect(delivery, refusal(503)).client.products.createMany(inputs);
    expect(await all(connect().client.products.list({ sku }))).toEqual(made);
    expect(made.map(({ title }) => title)).toEqual(['A', 'B', 'C']);
  });

  it.each(LOST)('creates one coupon code, without a conflict: %s', async (delivery) => {
    const code = `ONE-${LOST.indexOf(delivery)}`;
    const { client } = connect(delivery);
    const { data } = await client.couponCodes.create({ code, discountPercent: 5 });
    expect(await all(client.couponCodes.list({ code }))).toEqual([data]);
  });

  it.each(LOST)('deletes, and treats a missing product as success: %s', async (delivery) => {
    const { client, network } = connect();
    const { data } = await client.products.create({ title: 'Doomed', priceCents: 1 });
    network.next(delivery);
    await client.products.delete(data.id);
    expect(network.sent.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE']);
    expect((await failure(client.products.get(data.id))).status).toBe(404);
    expect((await failure(client.products.delete(data.id))).status).toBe(404);
  });

  it.each(LOST)('updates the given fields: %s', async (delivery) => {
    const { client, network } = connect();
    const { data } = await client.products.create({ title: 'Before', priceCents: 1 });
    network.next(delivery, 'served', delivery);
    const updated = await client.products.update(data.id, { title: 'After' });
    expect(updated.data).toMatchObject({ title: 'After', handle: 'before' });
    const replaced = await client.products.replace(data.id, { title: 'Anew', priceCents: 2 });
    expect(await client.products.get(data.id)).toEqual(replaced);
    expect(network.sent).toHaveLength(6);
  });

  it.each(LOST)('continues a list: %s', async (delivery) => {
    const sku = `list, ${delivery}`;
    const { client, network } = connect();
    const made = await client.products.createMany(
      Array.from({ length: 251 }, (_, index) => ({ title: `P ${index}`, priceCents: 1, sku })),
    );
    network.next('served', delivery);
    expect(await all(client.products.list({ sku }))).toEqual(made);
    expect(network.sent).toHaveLength(4);
  });
});

describe('A server error of something in between', () => {
  const page = (status: number): Response => new Response('<h1>Proxy</h1>', { status });

  it.each([500, 502, 504, 520, 524])('is retried like a lost response: %d', async (status) => {
    const sku = `proxy ${status}`;
    const json = Response.json({ error: status === 500 ? {} : 'Bad gateway' }, { status });
    const { client, network } = connect(page(status), json);
    const { data } = await client.products.create({ title: 'Once', priceCents: 1, sku });
    expect(await count(sku)).toBe(1);
    network.next(page(status));
    await client.products.update(data.id, { title: 'After' });
    expect(network.sent.map(({ method }) => method)).toEqual([
      ...['POST', 'POST', 'POST'],
      ...['PATCH', 'PATCH'],
    ]);
  });

  it('can follow a deletion that took effect', async () => {
    const { client, network } = connect();
    const { data } = await client.products.create({ title: 'Doomed', priceCents: 1 });
    await connect().client.products.delete(data.id);
    network.next(page(520));
    await client.products.delete(data.id);
    expect(network.sent.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE']);
  });

  it('is not retried with an entity tag, and keeps its text', async () => {
    const { client, network } = connect();
    const { data, etag } = await client.products.create({ title: 'Before', priceCents: 1 });
    const body = '{"error": {"code": 520}}';
    network.next(new Response(body, { status: 520 }));
    const change = client.products.update(data.id, { priceCents: 2 }, { ifMatch: etag });
    expect(await failure(change)).toMatchObject({ status: 520, message: body });
    expect(network.sent).toHaveLength(2);
  });
});

describe('A change with an entity tag', () => {
  it.each(LOST)('is not retried if its response is lost: %s', async (delivery) => {
    const { client, network } = connect();
    const { data, etag } = await client.products.create({ title: 'Before', priceCents: 1 });
    const attempts = [
      () => client.products.update(data.id, { priceCents: 2 }, { ifMatch: etag }),
      () => client.products.replace(data.id, { title: 'X', priceCents: 3 }, { ifMatch: etag }),
      () => client.products.delete(data.id, { ifMatch: etag }),
      () => client.updateProfile({ brand: { brandName: 'Y' } }, { ifMatch: etag }),
    ];
    for (const attempt of attempts) {
      const before = network.sent.length;
      network.next(delivery);
      const error = await failure(attempt());
      expect(error.status).toBeUndefined();
      expect(error.requestId).toBeUndefined();
      expect(error.cause).toBeInstanceOf(TypeError);
      expect(network.sent).toHaveLength(before + 1);
    }
    // The first one did take effect where only its answer was lost, and kept the others from it.
    const priceCents = delivery === 'never arrives' ? 1 : 2;
    expect((await client.products.get(data.id)).data).toMatchObject({
      title: 'Before',
      priceCents,
    });
  });

  it('is retried if the service is temporarily unavailable', async () => {
    const { client, network } = connect();
    const { data, etag } = await client.products.create({ title: 'Before', priceCents: 1 });
    network.next(refusal(429), refusal(429));
    const changed = await client.products.update(data.id, { priceCents: 2 }, { ifMatch: etag });
    expect(changed.data.priceCents).toBe(2);
    expect(network.sent).toHaveLength(4);
  });
});

describe('The client gives up', () => {
  it('after the configured number of tries, with the last response', async () => {
    const { apiKey, port } = server;
    const network = new FaultyNetwork(refusal(503), refusal(429), refusal(503), 'served');
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = new BrandClient({ apiKey, baseUrl, fetch: network.fetch, tries: 3 });
    const error = await failure(client.getProfile());
    expect([error.status, error.message]).toEqual([503, 'Refused with 503.']);
    expect(network.sent).toHaveLength(3);
  });

  it('after five tries without a response', async () => {
    const { client, network } = connect(
      ...Array.from({ length: 5 }, (): Delivery => 'never arrives'),
    );
    const error = await failure(client.getProfile());
    expect([error.status, error.message]).toEqual([undefined, 'The service did not answer.']);
    expect(network.sent).toHaveLength(5);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 422, 500])('immediately after %d', async (status) => {
    const { client, network } = connect(refusal(status));
    const error = await failure(client.products.create({ title: 'No', priceCents: 1 }));
    expect([error.status, error.message]).toEqual([status, `Refused with ${status}.`]);
    expect(network.sent).toHaveLength(1);
  });

  it('immediately if a product to delete is missing after an error', async () => {
    const { client } = connect(refusal(429));
    const id = '01890000-0000-7000-8000-000000000000';
    expect((await failure(client.products.delete(id))).status).toBe(404);
  });

  it('with its own error class if a proxy answers in HTML', async () => {
    const page = (status: number): Response => new Response('<h1>Proxy</h1>', { status });
    const { client } = connect(page(403), page(200));
    const first = await failure(client.getProfile());
    expect([first.status, first.message]).toEqual([403, '<h1>Proxy</h1>']);
    const second = await failure(client.getProfile());
    expect(second.status).toBe(200);
    expect(second.cause).toBeInstanceOf(SyntaxError);
  });
});

describe('An idempotency key of your own', () => {
  it('creates one product in two requests, and rejects another product', async () => {
    const sku = 'own key';
    const input = { title: 'Twice sent', priceCents: 1, sku };
    const { client, network } = connect();
    const first = await client.products.create(input, { idempotencyKey: 'order-17' });
    const again = await connect().client.products.create(input, { idempotencyKey: 'order-17' });
    expect(again).toEqual(first);
    expect(await count(sku)).toBe(1);
    expect(network.sent[0]?.headers.get('Idempotency-Key')).toBe('order-17');

    const other = { ...input, title: 'Something else' };
    const error = await failure(client.products.create(other, { idempotencyKey: 'order-17' }));
    expect(error.status).toBe(422);
    const many = client.products.createMany([input], { idempotencyKey: 'order-17' });
    expect((await failure(many)).status).toBe(422);
    expect(await count(sku)).toBe(1);
  });

  it('is generated for each creation by default', async () => {
    const { client, network } = connect();
    const input = { title: 'Twin', priceCents: 1, sku: 'twin' };
    await client.products.create(input);
    await client.products.create(input);
    expect(await count('twin')).toBe(2);
    const keys = network.sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).toBe(2);
  });
});

describe('The bookmark', () => {
  it('stays the latest if responses arrive out of order', async () => {
    const answer = (bookmark: string): Response =>
      Response.json({ brand: {} }, { headers: { 'x-d1-bookmark': bookmark } });
    const { client, network } = connect(answer('0002-b'), answer('0001-a'), answer(''));
    for (let times = 0; times < 3; times++) await client.getProfile();
    const returned = network.sent.map(({ headers }) => headers.get('x-d1-bookmark'));
    expect(returned).toEqual([null, '0002-b', '0002-b']);
  });
});
