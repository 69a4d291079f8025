import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../client/src/index.ts';
import { BrandApiError, BrandClient } from '../../client/src/index.ts';
import { all, failure } from './outcomes.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';

const ID = '01890000-0000-7000-8000-000000000000';

/** A client of a service that gives everything the same answer, and what goes through its network. */
function connect(
  options: Partial<ClientOptions>,
  ...deliveries: readonly Delivery[]
): { client: BrandClient; network: FaultyNetwork } {
  const network = new FaultyNetwork(
    ...deliveries,
    ...Array.from({ length: 9 }, () => Response.json({ brand: {}, product: {} })),
  );
  const baseUrl = 'https://api.example.com';
  return {
    client: new BrandClient({ apiKey: 'k', baseUrl, fetch: network.fetch, ...options }),
    network,
  };
}

/** What a call rejects with, and after how many milliseconds. */
async function rejection(
  call: () => Promise<unknown>,
): Promise<{ reason: unknown; after: number }> {
  const start = performance.now();
  const reason = await call().then(
    () => undefined,
    (error: unknown) => error,
  );
  return { reason, after: performance.now() - start };
}

describe('The time limit', () => {
  it.each(['hangs', 'body hangs'] as const)(
    'of the client ends a request that gets no response, and retries it: %s',
    async (delivery) => {
      const { client, network } = connect(
        { timeout: 50 },
        delivery === 'hangs' ? delivery : hangingBody(),
      );
      await client.getProfile();
      expect(network.sent).toHaveLength(2);
    },
  );

  it('of a call wins over that of the client', async () => {
    const { client, network } = connect({ timeout: 60_000, tries: 2 }, 'hangs', 'hangs');
    const { reason, after } = await rejection(() => client.getProfile({ timeout: 50 }));
    expect(reason).toBeInstanceOf(BrandApiError);
    expect(reason).toMatchObject({ status: undefined, cause: { name: 'TimeoutError' } });
    expect(after).toBeGreaterThanOrEqual(95);
    expect(after).toBeLessThan(5000);
    expect(network.sent).toHaveLength(2);
  });

  it('holds for every operation', async () => {
    const calls: ((client: BrandClient) => Promise<unknown>)[] = [
      ({ products }) => products.get(ID, { timeout: 20 }),
      ({ products }) => products.list({}, { timeout: 20 }).next(),
      ({ products }) => products.changes({ timeout: 20 }).next(),
      ({ products }) => products.create({ title: 'T', priceCents: 1 }, { timeout: 20 }),
      ({ products }) => products.createMany([{ title: 'T', priceCents: 1 }], { timeout: 20 }),
      ({ products }) => products.push([{ sku: 'S' }], { match: 'sku', timeout: 20 }),
      ({ products }) => products.replace(ID, { title: 'T', priceCents: 1 }, { timeout: 20 }),
      ({ products }) => products.update(ID, {}, { timeout: 20 }),
      ({ products }) => products.delete(ID, { timeout: 20 }),
      (client) => client.getProfile({ timeout: 20 }),
      (client) => client.updateProfile({}, { timeout: 20 }),
      (client) =>
        client.replaceProfile({ brand: { brandName: 'B' }, connection: {} }, { timeout: 20 }),
    ];
    for (const call of calls) {
      const { client } = connect({ tries: 1 }, 'hangs');
      expect((await failure(call(client))).cause).toMatchObject({ name: 'TimeoutError' });
    }
  });

  it('can be of any length', async () => {
    for (const timeout of [Infinity, 2 ** 40]) {
      const { client, network } = connect({ timeout });
      await client.getProfile();
      expect(network.sent).toHaveLength(1);
    }
  });
});

/** A response whose body never ends. */
function hangingBody(): Response {
  return new Response(new ReadableStream());
}

describe('An AbortSignal', () => {
  it('that is already aborted prevents the request', async () => {
    const reason = new Error('No more.');
    const signal = AbortSignal.abort(reason);
    const { client, network } = connect({});
    await expect(client.getProfile({ signal })).rejects.toBe(reason);
    await expect(connect({ signal }).client.getProfile()).rejects.toBe(reason);
    expect(network.sent).toEqual([]);
  });

  it.each(['of the client', 'of the call'])('%s ends a request under way', async (whose) => {
    const stop = new AbortController();
    const { signal } = stop;
    const ofClient = whose === 'of the client';
    const { client, network } = connect(ofClient ? { signal } : {}, 'hangs');
    setTimeout(() => {
      stop.abort();
    }, 30);
    const { reason, after } = await rejection(() => client.getProfile(ofClient ? {} : { signal }));
    expect(reason).toMatchObject({ name: 'AbortError' });
    expect(after).toBeLessThan(5000);
    expect(network.sent).toHaveLength(1);
  });

  it('ends the wait before a retry', async () => {
    const headers = { 'Retry-After': '60' };
    const { client, network } = connect({}, Response.json({}, { status: 503, headers }));
    const { reason, after } = await rejection(() =>
      client.getProfile({ signal: AbortSignal.timeout(50) }),
    );
    expect(reason).toMatchObject({ name: 'TimeoutError' });
    expect(after).toBeLessThan(5000);
    expect(network.sent).toHaveLength(1);
  });

  it('reaches the fetch that is used', async () => {
    let aborted = false;
    const server = createServer((request) => {
      request.on('close', () => (aborted = true));
    }).listen(0, '127.0.0.1');
    const address = await new Promise((resolve) => {
      server.once('listening', () => {
        resolve(server.address());
      });
    });
    const port =
      typeof address === 'object' && address !== null && 'port' in address ? address.port : 0;
    const client = new BrandClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${String(port)}` });
    await rejection(() => client.getProfile({ signal: AbortSignal.timeout(200) }));
    await expect.poll(() => aborted).toBe(true);
    server.close();
  });
});

describe('The address', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com/api/brand/v1'],
    ['https://api.example.com/', 'https://api.example.com/api/brand/v1'],
    ['https://example.com/brands', 'https://example.com/brands/api/brand/v1'],
    ['https://example.com/a/b/', 'https://example.com/a/b/api/brand/v1'],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787/api/brand/v1'],
  ])('%s leads to %s', async (baseUrl, expected) => {
    const next = {
      Link: '<https://inner.example.net/api/brand/v1/products?limit=250&cursor=a%2Bb>; rel="next"',
    };
    const { client, network } = connect(
      { baseUrl },
      Response.json({ products: [1] }, { headers: next }),
      Response.json({ products: [2] }),
    );
    expect(await all(client.products.list({ sku: 'A/B' }))).toEqual([1, 2]);
    await client.products.get('x');
    expect(network.sent.map(({ url }) => url)).toEqual([
      `${expected}/products?sku=A%2FB&limit=250`,
      // A proxy may rename the service: the key goes where it was meant to go.
      `${expected}/products?limit=250&cursor=a%2Bb`,
      `${expected}/products/x`,
    ]);
  });
});

describe('The error', () => {
  it.each([
    ['Product not found.', []],
    ['Invalid JSON payload.', []],
    ['Invalid request: title: required', [['title', 'required']]],
    [
      'Invalid request: products.3.title: required; Idempotency-Key: expected 1 to 255 visible ASCII characters',
      [
        ['products.3.title', 'required'],
        ['Idempotency-Key', 'expected 1 to 255 visible ASCII characters'],
      ],
    ],
    [
      'Invalid request: sku: 2 products have the value "A; b"; body: expected an object: {}; and 17 more',
      [
        ['sku', '2 products have the value "A; b"'],
        ['body', 'expected an object: {}'],
      ],
    ],
    [
      'Invalid request: "Variant SKU": unknown field; products.0."a: \\"b\\"; c: d": unknown field; "": unknown parameter; sku: 2 products have the value "a; title: b"; title: required',
      [
        ['"Variant SKU"', 'unknown field'],
        ['products.0."a: \\"b\\"; c: d"', 'unknown field'],
        ['""', 'unknown parameter'],
        ['sku', '2 products have the value "a; title: b"'],
        ['title', 'required'],
      ],
    ],
  ])('of %s lists its problems', async (error, problems) => {
    const headers = { 'X-Request-Id': 'r-1' };
    const { client } = connect({}, Response.json({ error }, { status: 400, headers }));
    const { message, status, requestId, ...rest } = await failure(client.getProfile());
    expect([message, status, requestId]).toEqual([error, 400, 'r-1']);
    expect(rest.problems).toEqual(problems.map(([path, message]) => ({ path, message })));
  });
});
