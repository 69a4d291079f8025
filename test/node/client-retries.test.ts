import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import { all, failure } from './outcomes.ts';
import type { Server } from './server.ts';
import { shareServer } from './shared-server.ts';
import type { Fate } from './wire.ts';
import { Wire } from './wire.ts';

let server: Server;

beforeAll(async () => {
  server = await shareServer();
});

afterAll(async () => {
  await server.stop();
});

/** A client of the brand, and what goes through its wire. */
function connect(...fates: readonly Fate[]): { client: BrandClient; wire: Wire } {
  const wire = new Wire(...fates);
  const { apiKey, port } = server;
  const baseUrl = `http://127.0.0.1:${port}`;
  return { client: new BrandClient({ apiKey, baseUrl, fetch: wire.fetch }), wire };
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

describe('A request that is sent again', () => {
  it.each([503, 429])('after %d waits as long as Retry-After says', async (status) => {
    const { client, wire } = connect(refusal(status, '1'));
    await client.getProfile();
    expect(wire.sent).toHaveLength(2);
    const [first, second] = wire.sent.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(990);
  });

  it.each(LOST)('creates one product only: %s', async (fate) => {
    const sku = `create, ${fate}`;
    const { client, wire } = connect(fate);
    const made = await client.products.create({ title: 'Once', priceCents: 1, sku });
    expect(await client.products.get(made.data.id)).toEqual(made);
    expect(await count(sku)).toBe(1);

    const [first, second] = wire.sent;
    expect(first?.headers.get('Idempotency-Key')).toBeTruthy();
    expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
    expect(second?.body).toBe(first?.body);
  });

  it.each(LOST)('creates many products once only: %s', async (fate) => {
    const sku = `create many, ${fate}`;
    const inputs = ['A', 'B', 'C'].map((title) => ({ title, priceCents: 1, sku }));
    const made = await connect(fate, refusal(503)).client.products.createMany(inputs);
    expect(await all(connect().client.products.list({ sku }))).toEqual(made);
    expect(made.map(({ title }) => title)).toEqual(['A', 'B', 'C']);
  });

  it.each(LOST)('creates one coupon code and meets no conflict with itself: %s', async (fate) => {
    const code = `ONE-${LOST.indexOf(fate)}`;
    const { client } = connect(fate);
    const { data } = await client.couponCodes.create({ code, discountPercent: 5 });
    expect(await all(client.couponCodes.list({ code }))).toEqual([data]);
  });

  it.each(LOST)('deletes, and finds no fault with what is gone: %s', async (fate) => {
    const { client, wire } = connect();
    const { data } = await client.products.create({ title: 'Doomed', priceCents: 1 });
    wire.next(fate);
    await client.products.delete(data.id);
    expect(wire.sent.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE']);
    expect((await failure(client.products.get(data.id))).status).toBe(404);
    expect((await failure(client.products.delete(data.id))).status).toBe(404);
  });

  it.each(LOST)('changes what is named: %s', async (fate) => {
    const { client, wire } = connect();
    const { data } = await client.products.create({ title: 'Before', priceCents: 1 });
    wire.next(fate, 'served', fate);
    const updated = await client.products.update(data.id, { title: 'After' });
    expect(updated.data).toMatchObject({ title: 'After', handle: 'before' });
    const replaced = await client.products.replace(data.id, { title: 'Anew', priceCents: 2 });
    expect(await client.products.get(data.id)).toEqual(replaced);
    expect(wire.sent).toHaveLength(6);
  });

  it.each(LOST)('reads on in a list: %s', async (fate) => {
    const sku = `list, ${fate}`;
    const { client, wire } = connect();
    const made = await client.products.createMany(
      Array.from({ length: 251 }, (_, index) => ({ title: `P ${index}`, priceCents: 1, sku })),
    );
    wire.next('served', fate);
    expect(await all(client.products.list({ sku }))).toEqual(made);
    expect(wire.sent).toHaveLength(4);
  });
});

describe('A change with an entity tag', () => {
  it.each(LOST)('is not sent again when its answer is lost: %s', async (fate) => {
    const { client, wire } = connect();
    const { data, etag } = await client.products.create({ title: 'Before', priceCents: 1 });
    const attempts = [
      () => client.products.update(data.id, { priceCents: 2 }, { ifMatch: etag }),
      () => client.products.replace(data.id, { title: 'X', priceCents: 3 }, { ifMatch: etag }),
      () => client.products.delete(data.id, { ifMatch: etag }),
      () => client.updateProfile({ brand: { brandName: 'Y' } }, { ifMatch: etag }),
    ];
    for (const attempt of attempts) {
      const before = wire.sent.length;
      wire.next(fate);
      const error = await failure(attempt());
      expect(error.status).toBeUndefined();
      expect(error.requestId).toBeUndefined();
      expect(error.cause).toBeInstanceOf(TypeError);
      expect(wire.sent).toHaveLength(before + 1);
    }
    // The first one did take effect where only its answer was lost, and kept the others from it.
    const priceCents = fate === 'never arrives' ? 1 : 2;
    expect((await client.products.get(data.id)).data).toMatchObject({
      title: 'Before',
      priceCents,
    });
  });

  it('is sent again where the service refused it for now', async () => {
    const { client, wire } = connect();
    const { data, etag } = await client.products.create({ title: 'Before', priceCents: 1 });
    wire.next(refusal(429), refusal(429));
    const changed = await client.products.update(data.id, { priceCents: 2 }, { ifMatch: etag });
    expect(changed.data.priceCents).toBe(2);
    expect(wire.sent).toHaveLength(4);
  });
});

describe('The client gives up', () => {
  it('after as many tries as it was told, with the last answer', async () => {
    const { apiKey, port } = server;
    const wire = new Wire(refusal(503), refusal(429), refusal(503), 'served');
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = new BrandClient({ apiKey, baseUrl, fetch: wire.fetch, tries: 3 });
    const error = await failure(client.getProfile());
    expect([error.status, error.message]).toEqual([503, 'Refused with 503.']);
    expect(wire.sent).toHaveLength(3);
  });

  it('after five tries where nobody answers', async () => {
    const { client, wire } = connect(...Array.from({ length: 5 }, (): Fate => 'never arrives'));
    const error = await failure(client.getProfile());
    expect([error.status, error.message]).toEqual([undefined, 'The service did not answer.']);
    expect(wire.sent).toHaveLength(5);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 422, 500])('at once after %d', async (status) => {
    const { client, wire } = connect(refusal(status));
    const error = await failure(client.products.create({ title: 'No', priceCents: 1 }));
    expect([error.status, error.message]).toEqual([status, `Refused with ${status}.`]);
    expect(wire.sent).toHaveLength(1);
  });

  it('at once where a product to delete is not there after a refusal', async () => {
    const { client } = connect(refusal(429));
    const id = '01890000-0000-7000-8000-000000000000';
    expect((await failure(client.products.delete(id))).status).toBe(404);
  });

  it('with its own class of errors where somebody on the way answers in HTML', async () => {
    const page = (status: number): Response => new Response('<h1>Proxy</h1>', { status });
    const { client } = connect(page(502), page(200));
    const first = await failure(client.getProfile());
    expect([first.status, first.message]).toEqual([502, '<h1>Proxy</h1>']);
    const second = await failure(client.getProfile());
    expect(second.status).toBe(200);
    expect(second.cause).toBeInstanceOf(SyntaxError);
  });
});

describe('An idempotency key of your own', () => {
  it('makes one product of two requests, and refuses another product under it', async () => {
    const sku = 'own key';
    const input = { title: 'Twice sent', priceCents: 1, sku };
    const { client, wire } = connect();
    const first = await client.products.create(input, { idempotencyKey: 'order-17' });
    const again = await connect().client.products.create(input, { idempotencyKey: 'order-17' });
    expect(again).toEqual(first);
    expect(await count(sku)).toBe(1);
    expect(wire.sent[0]?.headers.get('Idempotency-Key')).toBe('order-17');

    const other = { ...input, title: 'Something else' };
    const error = await failure(client.products.create(other, { idempotencyKey: 'order-17' }));
    expect(error.status).toBe(422);
    const many = client.products.createMany([input], { idempotencyKey: 'order-17' });
    expect((await failure(many)).status).toBe(422);
    expect(await count(sku)).toBe(1);
  });

  it('is made anew for each creation where none is given', async () => {
    const { client, wire } = connect();
    const input = { title: 'Twin', priceCents: 1, sku: 'twin' };
    await client.products.create(input);
    await client.products.create(input);
    expect(await count('twin')).toBe(2);
    const keys = wire.sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).toBe(2);
  });
});

describe('The bookmark', () => {
  it('stays the latest where answers overtake each other', async () => {
    const answer = (bookmark: string): Response =>
      Response.json({}, { headers: { 'x-d1-bookmark': bookmark } });
    const { client, wire } = connect(answer('0002-b'), answer('0001-a'), Response.json({}));
    for (let times = 0; times < 3; times++) await client.getProfile();
    const returned = wire.sent.map(({ headers }) => headers.get('x-d1-bookmark'));
    expect(returned).toEqual([null, '0002-b', '0002-b']);
  });
});
