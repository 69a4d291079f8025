import { beforeAll, describe, expect, it } from 'vitest';
import { CHANGES, ID, ITEM } from './client-calls.ts';
import { connectNowhere, newBrand } from './connected.ts';
import type { Delivery } from './faulty-network.ts';
import { all, failure } from './outcomes.ts';

let connect: Awaited<ReturnType<typeof newBrand>>;

beforeAll(async () => {
  connect = await newBrand();
});

/** An answer of the service that asks to come again. */
const refusal = (status: number): Response =>
  Response.json({ error: `Refused with ${status}.` }, { status });

/** An answer of something in between. */
const page = (status: number): Response => new Response('<h1>Proxy</h1>', { status });

/** After these, the client does not know what has happened: the request took effect, or it did not. */
const LOST = ['answer lost', 'body lost', 'never arrives'] as const;

describe.each(LOST)('%s', (name) => {
  it('A request that is retried creates each product only once', async () => {
    const { client, network } = connect(name, 'served', name, refusal(503));
    const { data } = await client.products.create({ ...ITEM, sku: name });
    const many = ['A', 'B', 'C'].map((title) => ({ title, priceCents: 1, sku: name }));
    const made = await client.products.createMany(many);
    expect(await all(client.products.list({ sku: name }))).toEqual([data, ...made]);
    const [first, second] = network.sent;
    expect(first?.headers.get('Idempotency-Key')).toBeTruthy();
    expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
    expect(second?.body).toBe(first?.body);
  });

  it('A request that is retried changes and deletes, and treats a missing product as success', async () => {
    const { client, network } = connect();
    const { data } = await client.products.create(ITEM);
    network.next(name, 'served', name, 'served', name);
    const { data: changed } = await client.products.update(data.id, { title: 'After' });
    expect(changed).toMatchObject({ title: 'After', sku: ITEM.sku });
    const replaced = await client.products.replace(data.id, { title: 'Anew', priceCents: 2 });
    expect(replaced.data).toMatchObject({ title: 'Anew', sku: null });
    await client.products.delete(data.id);
    expect(network.sent).toHaveLength(7);
    expect((await failure(client.products.delete(data.id))).status).toBe(404);
  });
});

it('A list and a page of changes are continued after a lost response', async () => {
  const { client, network } = connect();
  const sku = 'listed';
  const inputs = Array.from({ length: 251 }, () => ({ ...ITEM, sku }));
  const made = await client.products.createMany(inputs);
  network.next('served', 'answer lost');
  expect(await all(client.products.list({ sku }))).toEqual(made);
  network.next('body lost', 'served', 'never arrives');
  const pages = await all(client.products.changes());
  expect(pages.flatMap(({ changed }) => changed)).toEqual(expect.arrayContaining(made));
});

it.each([500, 502, 504, 520, 524])(
  'A server error of something in between is retried like a lost response: %d',
  async (status) => {
    const json = Response.json({ error: status === 500 ? {} : 'Bad gateway' }, { status });
    const done = Response.json({ brand: {} });
    const { client, network } = connectNowhere({}, page(status), json, done);
    await client.profile.update({});
    expect(network.sent).toHaveLength(3);
  },
);

it.each(Object.entries(CHANGES))(
  'A change with an entity tag is not retried if its response is lost, but if the service has too many requests: %s',
  async (_, call) => {
    const ifMatch = '"1"';
    const { client, network } = connectNowhere({}, 'never arrives');
    const error = await failure(call(client, { ifMatch }));
    expect([error.status, error.requestId]).toEqual([undefined, undefined]);
    expect(error.cause).toBeInstanceOf(TypeError);
    network.next(page(520));
    expect(await failure(call(client, { ifMatch }))).toMatchObject({
      status: 520,
      message: '<h1>Proxy</h1>',
    });
    expect(network.sent).toHaveLength(2);
    network.next(refusal(429), refusal(429), refusal(412));
    expect((await failure(call(client, { ifMatch }))).status).toBe(412);
    const tags = network.sent.map(({ headers }) => headers.get('If-Match'));
    expect(tags).toEqual(Array(5).fill(ifMatch));
  },
);

it('The client gives up after the configured number of tries, with the last response', async () => {
  const refusals = [503, 429, 503].map(refusal);
  const { client, network } = connectNowhere({ tries: 3 }, ...refusals);
  const error = await failure(client.profile.get());
  expect([error.status, error.message]).toEqual([503, 'Refused with 503.']);
  expect(network.sent).toHaveLength(3);
});

it('The client gives up after five tries without a response', async () => {
  const lost = Array.from({ length: 5 }, (): Delivery => 'never arrives');
  const { client, network } = connectNowhere({}, ...lost);
  const error = await failure(client.profile.get());
  expect(error).toMatchObject({ status: undefined, isFromService: false });
  expect(error.message).toBe('The service did not answer.');
  expect(network.sent).toHaveLength(5);
});

it.each([400, 401, 403, 404, 409, 412, 413, 422, 500])(
  'The client gives up immediately after a refusal: %d',
  async (status) => {
    const { client, network } = connectNowhere({}, refusal(status));
    const error = await failure(client.products.create(ITEM));
    expect([error.status, error.message]).toEqual([status, `Refused with ${status}.`]);
    expect(network.sent).toHaveLength(1);
  },
);

it('The client gives up immediately if a product to delete is missing after a 429, which proves that nothing was done', async () => {
  const { client } = connectNowhere({}, refusal(429), refusal(404));
  expect((await failure(client.products.delete(ID))).status).toBe(404);
});

it('An idempotency key of your own is sent', async () => {
  const { client, network } = connectNowhere({}, Response.json({ products: [ITEM] }));
  await client.products.createMany([ITEM], { idempotencyKey: 'order-17' });
  expect(network.sent[0]?.headers.get('Idempotency-Key')).toBe('order-17');
});

const later = (retryAfter: string): Response => {
  const headers = { 'Retry-After': retryAfter };
  return Response.json({ error: 'Later.' }, { status: 503, headers });
};

it('A Retry-After in seconds is waited for', async () => {
  const { client, network } = connectNowhere({}, later('1'), Response.json({ brand: {} }));
  await client.profile.get();
  const [first, second] = network.sent.map(({ at }) => at);
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(990);
});

it('A Retry-After as a date is waited for', async () => {
  const date = new Date(Date.now() + 3000).toUTCString();
  const { client, network } = connectNowhere({}, later(date), Response.json({ brand: {} }));
  await client.profile.get();
  expect(network.sent).toHaveLength(2);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date));
});

// A timer of more than 2^31 milliseconds ends at once: five tries within 30 ms.
it.each(['61', '99999999', '1e400', 'Infinity'])(
  'A Retry-After of more than a minute ends the call: %s seconds',
  async (retryAfter) => {
    const { client, network } = connectNowhere({}, later(retryAfter));
    const error = await failure(client.profile.get());
    expect(error).toMatchObject({ status: 503, message: 'Later.' });
    expect(network.sent).toHaveLength(1);
  },
);
