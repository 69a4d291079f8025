import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Product, PushProgress } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import { all, failure } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';

const MIB = 2 ** 20;

const anId: unknown = expect.stringMatching(/^[\w-]{36}$/);
const limit: unknown = expect.stringContaining('2048 KiB');

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
});

afterAll(async () => {
  await server.stop();
});

let test = 0;

beforeEach(() => {
  test++;
});

/** An SKU of this test alone. */
function sku(index: number): string {
  return `T-${test}-${index}`;
}

/** The products of this test. */
async function listed(): Promise<Product[]> {
  const products = await all(connect().client.products.list());
  return products.filter((product) => product.sku?.startsWith(`T-${test}-`));
}

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

interface Item {
  readonly sku: string;
  readonly title: string;
  readonly priceCents: number;
}

function items(count: number, title = 'Item'): Item[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: sku(index),
    title: `${title} ${index}`,
    priceCents: index,
  }));
}

/** How many bytes and items the bodies of the requests have. */
function sizes(network: FaultyNetwork): { bytes: number; count: number }[] {
  return network.sent.map(({ body }) => ({
    bytes: new Blob([body]).size,
    count: body.split('"sku":').length - 1,
  }));
}

describe('A push', () => {
  it('creates, updates, leaves unchanged, and returns one result per item in order', async () => {
    const { client, network } = connect();
    const created = await client.products.push(items(2), { match: 'sku' });
    expect(created).toMatchObject([
      { status: 'created', resource: { sku: sku(0), title: 'Item 0' } },
      { status: 'created', resource: { sku: sku(1), title: 'Item 1' } },
    ]);
    const products = await listed();
    expect(created).toEqual(
      products.map((resource) => ({ id: resource.id, status: 'created', resource })),
    );

    const next = [
      { sku: sku(2), title: 'New', priceCents: 2 },
      { sku: sku(1), priceCents: 7 },
      { sku: sku(0) },
    ];
    const results = await client.products.push(next, { match: 'sku', minimal: true });
    expect(results).toEqual([
      { id: anId, status: 'created' },
      { id: products[1]?.id, status: 'updated' },
      { id: products[0]?.id, status: 'unchanged' },
    ]);
    expect(network.sent.at(-1)?.headers.get('Prefer')).toBe('return=minimal');
    expect(await listed()).toMatchObject([
      products[0] ?? {},
      { title: 'Item 1', priceCents: 7 },
      { title: 'New' },
    ]);
  });

  it('of coupon codes matches by code, whatever its case', async () => {
    const { couponCodes } = connect().client;
    const first = await couponCodes.push([{ code: 'Save10', discountPercent: 10 }], {
      match: 'code',
    });
    const again = await couponCodes.push([{ code: 'SAVE10' }], { match: 'code' });
    expect([first[0]?.status, again[0]?.status]).toEqual(['created', 'updated']);
    expect((await all(couponCodes.list())).map(({ code }) => code)).toEqual(['SAVE10']);
  });

  it('of deletions, changes and creations is one request, and only what is there has a resource', async () => {
    const { client, network } = connect();
    const [first, second, third] = await client.products.push(items(3), { match: 'sku' });
    const night = [
      { sku: sku(0), deleted: true },
      { sku: sku(8), deleted: true },
      { sku: sku(1), priceCents: 7 },
      { sku: sku(9), title: 'New', priceCents: 9 },
      { sku: sku(2) },
    ] as const;
    const tried = await client.products.push(night, { match: 'sku', dryRun: true });
    const gone = [
      { id: first?.id, status: 'deleted' },
      { id: null, status: 'unchanged' },
    ];
    // A dry run has no resources.
    expect(tried).toEqual([
      ...gone,
      { id: second?.id, status: 'updated' },
      { id: null, status: 'created' },
      { id: third?.id, status: 'unchanged' },
    ]);
    const before = network.sent.length;
    const done = await client.products.push(night, { match: 'sku' });
    expect(network.sent).toHaveLength(before + 1);
    expect(done.slice(0, 2)).toEqual(gone);
    expect(done.slice(2)).toMatchObject([
      { id: second?.id, status: 'updated', resource: { priceCents: 7 } },
      { id: anId, status: 'created', resource: { sku: sku(9) } },
      { id: third?.id, status: 'unchanged', resource: { sku: sku(2) } },
    ]);
    expect((await listed()).map((product) => product.sku)).toEqual([sku(1), sku(2), sku(9)]);
  });

  it('of coupon codes deletes too', async () => {
    const { couponCodes } = connect().client;
    const [made] = await couponCodes.push([{ code: 'GONE', discountPercent: 10 }], {
      match: 'code',
    });
    const results = await couponCodes.push([{ code: 'gone', deleted: true }], { match: 'code' });
    expect(results).toEqual([{ id: made?.id, status: 'deleted' }]);
  });

  it('with ifNewer ignores events that are out of date, deletions too, and shows the product', async () => {
    const { client, network } = connect();
    const event = (day: number): { sku: string; sourceUpdatedAt: string } => ({
      sku: sku(0),
      sourceUpdatedAt: `2026-01-0${day}T00:00:00.000Z`,
    });
    const options = { match: 'sku', ifNewer: true } as const;
    const first = [{ title: 'Item 0', priceCents: 1, ...event(2) }];
    const [made] = await client.products.push(first, options);
    const late = [{ title: 'Late', ...event(1) }];
    const shown = { id: made?.id, status: 'stale', resource: { title: 'Item 0' } };
    expect(await client.products.push(late, options)).toMatchObject([shown]);
    const dropped = [{ deleted: true, ...event(1) }] as const;
    expect(await client.products.push(dropped, options)).toMatchObject([shown]);
    expect(network.sent.at(-1)?.search.get('ifNewer')).toBe('true');
    const newer = [{ deleted: true, ...event(1) }] as const;
    expect(await client.products.push(newer, { ...options, ifNewer: false })).toEqual([
      { id: made?.id, status: 'deleted' },
    ]);
    expect(await listed()).toEqual([]);
  });

  it('of nothing sends nothing', async () => {
    const { client, network } = connect();
    expect(await client.products.push([], { match: 'sku' })).toEqual([]);
    expect(network.sent).toEqual([]);
  });

  it('that is refused writes nothing, and its error names every item', async () => {
    const { client } = connect();
    const bad = [...items(2), { sku: sku(3), title: '' }, { sku: sku(4), priceCents: 1 }];
    const error = await failure(client.products.push(bad, { match: 'sku' }));
    expect(error.status).toBe(400);
    expect(error.problems.map(({ path }) => path)).toEqual([
      'products.2.title',
      'products.3.title',
    ]);
    expect(error.problems[1]).toEqual({ path: 'products.3.title', message: 'required' });
    expect(await listed()).toEqual([]);
  });

  it.each(['12"', 'A\\', 'a"; products.7.title: gone', '"; and 9 more'])(
    'that is refused names every item, whatever its value: %s',
    async (value) => {
      const { client } = connect();
      const item = { sku: sku(0) + value, title: 'A', priceCents: 1 };
      const bad = [item, item, { ...item, sku: sku(1), priceCents: -1 }];
      const error = await failure(client.products.push(bad, { match: 'sku' }));
      const shown = `products.0 has the value ${JSON.stringify(item.sku)} too`;
      expect(error.problems).toMatchObject([
        { path: 'products.1.sku', message: shown },
        { path: 'products.2.priceCents' },
      ]);
    },
  );

  it('that is lenient writes the accepted items', async () => {
    const { client, network } = connect();
    const some = [{ sku: sku(9), title: 'No price' }, ...items(1)];
    const results = await client.products.push(some, { match: 'sku', lenient: true });
    expect(results).toMatchObject([
      { id: null, status: 'refused', error: 'priceCents: required' },
      { status: 'created', resource: { sku: sku(0) } },
    ]);
    expect(network.sent[0]?.headers.get('Prefer')).toBe('handling=lenient');
    expect(await listed()).toHaveLength(1);
  });

  it('in a dry run reports the same and writes nothing', async () => {
    const { client } = connect();
    await client.products.push(items(1), { match: 'sku' });
    const before = await listed();
    const some = [...items(2), { sku: sku(0) }];
    const options = { match: 'sku', lenient: true } as const;
    const predicted = await client.products.push(some, { ...options, dryRun: true });
    expect(predicted).toEqual([
      { status: 'unchanged', id: before[0]?.id },
      { status: 'created', id: null },
      { id: null, status: 'refused', error: `sku: products.0 has the value "${sku(0)}" too` },
    ]);
    expect(await listed()).toEqual(before);
    const done = await client.products.push(some, options);
    expect(done.map(({ status }) => status)).toEqual(predicted.map(({ status }) => status));
  });
});

describe('A large push', () => {
  it('of 501 items goes in two requests, each with its own Idempotency-Key', async () => {
    const { client, network } = connect();
    const progress: PushProgress<Product>[] = [];
    const results = await client.products.push(items(501), {
      match: 'sku',
      onProgress: (step) => progress.push(step),
    });
    expect(sizes(network).map(({ count }) => count)).toEqual([500, 1]);
    const keys = network.sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).toBe(2);
    expect(keys).not.toContain(null);
    expect(progress.map(({ done, total }) => [done, total])).toEqual([
      [500, 501],
      [501, 501],
    ]);
    expect(progress.flatMap((step) => step.results)).toEqual(results);
    const products = await listed();
    expect(results.map(({ id }) => id)).toEqual(products.map(({ id }) => id));
    expect(products.map(({ sku }) => sku)).toEqual(items(501).map(({ sku }) => sku));
  });

  it('of 500 items goes in one request', async () => {
    const { client, network } = connect();
    await client.products.push(items(500), { match: 'sku', minimal: true });
    expect(network.sent).toHaveLength(1);
  });

  it('is split by bytes, not by characters', async () => {
    const { client, network } = connect();
    // 60,000 characters, of three bytes each: 2 MiB hold 11 of them, and of their characters 34.
    const large = items(30).map((item) => ({ ...item, description: '€'.repeat(60_000) }));
    const results = await client.products.push(large, { match: 'sku' });
    expect(sizes(network).map(({ count }) => count)).toEqual([11, 11, 8]);
    for (const { bytes } of sizes(network)) expect(bytes).toBeLessThan(2 * MIB);
    expect(results.map(({ status }) => status)).toEqual(large.map(() => 'created'));
    const products = await listed();
    expect(products.map(({ description }) => description)).toEqual(
      large.map(({ description }) => description),
    );
  });

  it('fills a request to the last byte that surely fits', async () => {
    const { client, network } = connect();
    const size = { envelope: '{"products":[]}'.length, item: 0 };
    const one = (length: number, sku: string): Item => ({
      ...items(1)[0],
      sku,
      title: 'x'.repeat(length),
      priceCents: 0,
    });
    size.item = JSON.stringify(one(0, sku(0))).length;
    // Refused for their titles, but in one request as long as that holds them.
    const pair = (extra: number): Item[] => {
      const half = MIB - size.item - size.envelope;
      return [one(half, sku(0)), one(half + size.envelope - 2 + extra, sku(1))];
    };
    await client.products.push(pair(0), { match: 'sku', lenient: true, dryRun: true });
    expect(sizes(network)).toEqual([{ bytes: 2 * MIB - 1, count: 2 }]);
    await client.products.push(pair(1), { match: 'sku', lenient: true, dryRun: true });
    expect(
      sizes(network)
        .slice(1)
        .map(({ count }) => count),
    ).toEqual([1, 1]);
  });

  it('never splits an item, and if lenient sends one that is too large separately', async () => {
    const { client, network } = connect();
    const [first, second, third] = items(3);
    const huge = { sku: sku(1), title: 'x'.repeat(3 * MIB), priceCents: 1 };
    const some = [first, huge, third].filter((item) => item !== undefined);
    const results = await client.products.push(some, { match: 'sku', lenient: true });
    expect(sizes(network).map(({ count }) => count)).toEqual([1, 1, 1]);
    expect(results.map(({ status }) => status)).toEqual(['created', 'refused', 'created']);
    expect(results[1]).toMatchObject({
      id: null,
      error: limit,
    });
    expect(second).toBeDefined();
    expect((await failure(client.products.push(some, { match: 'sku' }))).status).toBe(413);
  });

  it('keeps the results of earlier requests if a later one is refused, and reports them', async () => {
    const { client } = connect();
    const some: Partial<Item>[] = items(600);
    some[550] = { sku: sku(550), title: 'No price' };
    const done: string[] = [];
    const push = client.products.push(
      some.map((item) => ({ sku: '', ...item })),
      {
        match: 'sku',
        onProgress: ({ results }) => done.push(...results.map(({ status }) => status)),
      },
    );
    const error = await failure(push);
    expect([error.status, error.problems]).toEqual([
      400,
      [{ path: 'products.50.priceCents', message: 'required' }],
    ]);
    expect(done).toEqual(items(500).map(() => 'created'));
    expect(await listed()).toHaveLength(500);
  });

  it('refuses an item with the value of one of an earlier request, as within one', async () => {
    const { products } = connect().client;
    const some = items(600);
    some[550] = { sku: ` ${sku(400)}`, title: 'Again', priceCents: 1 };
    const message = `products.400 has the value "${sku(400)}" too`;
    const error = await failure(products.push(some, { match: 'sku' }));
    const problems = [{ path: 'products.550.sku', message }];
    expect(error).toMatchObject({ status: 400, problems });
    expect(await listed()).toHaveLength(500);
    const results = await products.push(some, { match: 'sku', lenient: true });
    const refusal = { id: null, status: 'refused', error: `sku: ${message}` };
    expect(results.map((result) => (result.status === 'refused' ? result : 'done'))).toEqual(
      some.map((_, index) => (index === 550 ? refusal : 'done')),
    );
    expect((await listed()).map(({ title }) => title)).not.toContain('Again');
  });

  it('stops between two requests if onProgress throws', async () => {
    const { client, network } = connect();
    const enough = new Error('Enough.');
    const push = client.products.push(items(1200), {
      match: 'sku',
      onProgress: () => {
        throw enough;
      },
    });
    await expect(push).rejects.toBe(enough);
    expect(network.sent).toHaveLength(1);
  });
});

describe('A push whose response is lost', () => {
  it.each(['answer lost', 'body lost', 'never arrives'] as const)(
    'is retried, and reports what the first try did: %s',
    async (delivery) => {
      const { client, network } = connect(delivery, 'served', delivery);
      const results = await client.products.push(items(501), { match: 'sku' });
      expect(network.sent).toHaveLength(4);
      const keys = network.sent.map(({ headers }) => headers.get('Idempotency-Key'));
      expect([keys[1], keys[3]]).toEqual([keys[0], keys[2]]);
      expect(keys[2]).not.toBe(keys[0]);
      expect(results.every(({ status }) => status === 'created')).toBe(true);
      const products = await listed();
      expect(results).toEqual(
        products.map((resource) => ({ id: resource.id, status: 'created', resource })),
      );
    },
  );

  it('is retried without a key too, and then reports what the first try wrote as unchanged', async () => {
    const { client, network } = connect('answer lost');
    const options = { match: 'sku', idempotencyKey: null } as const;
    const results = await client.products.push(items(3), options);
    expect(network.sent.map(({ headers }) => headers.has('Idempotency-Key'))).toEqual([
      false,
      false,
    ]);
    const products = await listed();
    expect(results).toEqual(
      products.map((resource) => ({ id: resource.id, status: 'unchanged', resource })),
    );
  });

  it('has no resource for items deleted before the retry', async () => {
    const { client } = connect();
    const options = { match: 'sku', idempotencyKey: 'repeated' } as const;
    const first = await client.products.push(items(3), options);
    await client.products.delete(first[1]?.id ?? '');
    const again = await client.products.push(items(3), options);
    expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    const shown = again.map((result) => 'resource' in result && result.resource?.sku);
    expect(shown).toEqual([sku(0), false, sku(2)]);
  });

  it('has the same results for deletions too', async () => {
    const { client } = connect('served', 'answer lost');
    const [made] = await client.products.push(items(1), { match: 'sku' });
    const gone = [{ sku: sku(0), deleted: true }] as const;
    expect(await client.products.push(gone, { match: 'sku' })).toEqual([
      { id: made?.id, status: 'deleted' },
    ]);
  });

  it('refuses a key to which nothing can be appended before it sends anything', async () => {
    const { client, network } = connect();
    const pushing = client.products.push(items(501), {
      match: 'sku',
      idempotencyKey: 'k'.repeat(246),
    });
    await expect(pushing).rejects.toThrow(TypeError);
    expect(network.sent).toEqual([]);
    const options = { match: 'sku', idempotencyKey: 'k'.repeat(245) } as const;
    expect(await client.products.push(items(501), options)).toHaveLength(501);
  });

  it('has the same keys when it is repeated, whatever a proxy has refused before', async () => {
    const options = { match: 'sku', idempotencyKey: 'halved', lenient: true } as const;
    const tooLarge = new Response('<h1>Too large</h1>', { status: 413 });
    const { client, network } = connect(tooLarge);
    const first = await client.products.push(items(501), options);
    const keys = network.sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toEqual(['halved', 'halved-1.2', 'halved-1.3', 'halved-2']);
    const again = await connect().client.products.push(items(501), options);
    expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  });

  it('with your own key is the same push for another process', async () => {
    const options = { match: 'sku', idempotencyKey: 'nightly' } as const;
    const { client, network } = connect();
    const first = await client.products.push(items(501), options);
    const again = await connect().client.products.push(items(501), options);
    expect(again).toEqual(first);
    const keys = network.sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toEqual(['nightly', 'nightly-2']);
  });
});
