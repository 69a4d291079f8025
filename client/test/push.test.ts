import { beforeEach, expect, it } from 'vitest';
import type { Product, PushProgress } from '../src/index.ts';
import type { Connected } from './connected.ts';
import { connectNowhere, newBrand } from './connected.ts';
import { all, failure } from './outcomes.ts';

const MIB = 2 ** 20;

const anId: unknown = expect.stringMatching(/^[\w-]{36}$/);

let connect: Awaited<ReturnType<typeof newBrand>>;

beforeEach(async () => {
  connect = await newBrand();
});

/** The products of the brand. */
function listed(): Promise<Product[]> {
  return all(connect().client.products.list());
}

interface Item {
  readonly sku: string;
  readonly title: string;
  readonly priceCents: number;
}

function items(count: number): Item[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: `S-${index}`,
    title: `Item ${index}`,
    priceCents: index,
  }));
}

/** How many items the bodies of the requests have. */
function counts({ network }: Connected): number[] {
  return network.sent.map(({ body }) => body.split('"sku":').length - 1);
}

function keys({ network }: Connected): (string | null)[] {
  return network.sent.map(({ headers }) => headers.get('Idempotency-Key'));
}

/** Connects a client to a service that creates whatever it gets, but refuses requests that are larger than this. */
function connectToCreator(maxBytes = Infinity): Connected {
  const connected = connectNowhere({});
  connected.network.respond = (_, body) => {
    if (new Blob([body]).size > maxBytes) {
      return Response.json({ error: 'Too large.' }, { status: 413 });
    }
    const count = body.split('"sku":').length - 1;
    const results = Array.from({ length: count }, () => ({ id: 'x', status: 'created' }));
    return Response.json({ products: [], results });
  };
  return connected;
}

it('A push creates, changes, deletes and leaves in one request, and what is there has a resource', async () => {
  const { client, network } = connect();
  const [first, second, third] = await client.products.push(items(3), { match: 'sku' });
  const night = [
    { sku: 'S-0', deleted: true },
    { sku: 'S-8', deleted: true },
    { sku: 'S-1', priceCents: 7 },
    { sku: 'S-9', title: 'New', priceCents: 9 },
    { sku: 'S-2' },
  ] as const;
  const tried = await client.products.push(night, { match: 'sku', dryRun: true });
  const gone = [
    { id: first?.id, status: 'deleted' },
    { id: null, status: 'unchanged' },
  ];
  // A dry run has no resources, and no id of what it would create.
  const ids = [second?.id, null, third?.id];
  const statuses = ['updated', 'created', 'unchanged'];
  expect(tried).toEqual([...gone, ...ids.map((id, at) => ({ id, status: statuses[at] }))]);
  expect(await listed()).toHaveLength(3);
  const before = network.sent.length;
  const done = await client.products.push(night, { match: 'sku' });
  expect(network.sent).toHaveLength(before + 1);
  const [changed, unchanged, created] = await listed();
  expect(done).toEqual([
    ...gone,
    { id: second?.id, status: 'updated', resource: changed },
    { id: anId, status: 'created', resource: created },
    { id: third?.id, status: 'unchanged', resource: unchanged },
  ]);
  expect([changed?.priceCents, created?.sku]).toEqual([7, 'S-9']);
});

it('A push asks for what its options say', async () => {
  const { client, network } = connectToCreator();
  const some = [{ sku: 'S', sourceUpdatedAt: '2026-01-31T09:30:00Z' }];
  const options = { match: 'sku', minimal: true, lenient: true, ifNewer: true } as const;
  await client.products.push(some, options);
  await client.products.push(some, {
    ...options,
    minimal: false,
    lenient: false,
    ifNewer: false,
  });
  const asked = network.sent.map(({ search, headers }) => [
    search.toString(),
    headers.get('Prefer'),
  ]);
  expect(asked).toEqual([
    ['match=sku&ifNewer=true', 'handling=lenient, return=minimal'],
    ['match=sku&ifNewer=false', null],
  ]);
});

it('A push of nothing sends nothing', async () => {
  const { client, network } = connectToCreator();
  expect(await client.products.push([], { match: 'sku' })).toEqual([]);
  expect(network.sent).toEqual([]);
});

it('A push of 501 items goes in two requests with keys of their own, which are retried if a response is lost', async () => {
  const connected = connect('answer lost', 'served', 'body lost');
  const progress: PushProgress<Product>[] = [];
  const results = await connected.client.products.push(items(501), {
    match: 'sku',
    onProgress: (step) => progress.push(step),
  });
  expect(counts(connected)).toEqual([500, 500, 1, 1]);
  const [first, again, second, last] = keys(connected);
  expect([again, last]).toEqual([first, second]);
  expect(new Set([first, second, null]).size).toBe(3);
  expect(progress.map(({ done, total }) => [done, total])).toEqual([
    [500, 501],
    [501, 501],
  ]);
  expect(progress.flatMap((step) => step.results)).toEqual(results);
  const products = await listed();
  expect(results).toEqual(
    products.map((resource) => ({ id: resource.id, status: 'created', resource })),
  );
  expect(products.map(({ sku }) => sku)).toEqual(items(501).map(({ sku }) => sku));
});

it('A large push is split by bytes, not by characters', async () => {
  const connected = connectToCreator(2 * MIB);
  // 60,000 characters, of three bytes each: 2 MiB hold 11 of them, and of their characters 34.
  const large = items(30).map((item) => ({ ...item, description: '€'.repeat(60_000) }));
  await connected.client.products.push(large, { match: 'sku' });
  expect(counts(connected)).toEqual([11, 11, 8]);
});

it('A large push fills a request to the last byte that surely fits', async () => {
  const envelope = '{"products":[]}'.length;
  const one = (length: number, sku: string): Item => ({
    sku,
    title: 'x'.repeat(length),
    priceCents: 0,
  });
  const half = MIB - JSON.stringify(one(0, 'S-0')).length - envelope;
  const pair = (extra: number): Item[] => [
    one(half, 'S-0'),
    one(half + envelope - 2 + extra, 'S-1'),
  ];
  const options = { match: 'sku', lenient: true, dryRun: true } as const;
  // Refused for their titles, but in one request as long as that holds them.
  const connected = connect();
  const results = await connected.client.products.push(pair(0), options);
  expect([results.length, counts(connected)]).toEqual([2, [2]]);
  expect(connected.network.sent[0]?.body).toHaveLength(2 * MIB - 1);
  const split = connectToCreator();
  await split.client.products.push(pair(1), options);
  expect(counts(split)).toEqual([1, 1]);
});

it('A large push never splits an item, and if lenient sends one that is too large separately', async () => {
  const connected = connectToCreator(2 * MIB);
  const huge = { sku: 'HUGE', title: 'x'.repeat(3 * MIB), priceCents: 1 };
  const [first, last] = items(2);
  const some = [first, huge, last].filter((item) => item !== undefined);
  const results = await connected.client.products.push(some, { match: 'sku', lenient: true });
  expect(counts(connected)).toEqual([1, 1, 1]);
  expect(results.map(({ status }) => status)).toEqual(['created', 'refused', 'created']);
  expect(results[1]).toEqual({
    id: null,
    status: 'refused',
    error: 'Too large.',
    problems: [{ path: '', message: 'Too large.' }],
    isTooLarge: true,
  });
  const strict = connectToCreator(2 * MIB).client.products.push(some, { match: 'sku' });
  expect((await failure(strict)).status).toBe(413);
});

it('A large push keeps the results of earlier requests if a later one is refused, and reports them', async () => {
  const some: (Partial<Item> & Pick<Item, 'sku'>)[] = items(600);
  some[550] = { sku: 'S-550', title: 'No price' };
  const done: string[] = [];
  const push = connect().client.products.push(some, {
    match: 'sku',
    onProgress: ({ results }) => done.push(...results.map(({ status }) => status)),
  });
  const { status, problems } = await failure(push);
  expect([status, problems]).toEqual([
    400,
    [{ path: 'products.50.priceCents', message: 'required' }],
  ]);
  expect(done).toEqual(items(500).map(() => 'created'));
  expect(await listed()).toHaveLength(500);
});

it('A large push refuses an item with the value of one of an earlier request, as within one', async () => {
  const { products } = connect().client;
  const some = items(600);
  some[550] = { sku: ' S-400', title: 'Again', priceCents: 1 };
  const message = `products.400 has the value "S-400" too`;
  const error = await failure(products.push(some, { match: 'sku' }));
  const problems = [{ path: 'products.550.sku', message }];
  expect(error).toMatchObject({ status: 400, problems });
  expect(await listed()).toEqual([]);
  const results = await products.push(some, { match: 'sku', lenient: true });
  const refusal = {
    id: null,
    status: 'refused',
    error: `sku: ${message}`,
    problems: [{ path: 'sku', message }],
    sameAs: 400,
  };
  expect(results.map((result) => (result.status === 'refused' ? result : 'done'))).toEqual(
    some.map((_, index) => (index === 550 ? refusal : 'done')),
  );
  expect((await listed()).map(({ title }) => title)).not.toContain('Again');
});

it('A large push refuses a repeated value too if the requests are halves of one that a proxy has refused', async () => {
  const { client } = connect(new Response('<h1>Too large</h1>', { status: 413 }));
  const [first, second, third] = items(3);
  const some = [first, second, { ...first, sku: 'S-0', title: 'Again' }, third];
  const given = some.filter((item) => item !== undefined);
  const results = await client.products.push(given, { match: 'sku', lenient: true });
  expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'refused', 'created']);
  expect((await listed()).map(({ title }) => title)).not.toContain('Again');
});

it('A large push stops between two requests if onProgress throws', async () => {
  const { client, network } = connectToCreator();
  const enough = new Error('Enough.');
  const onProgress = (): void => {
    throw enough;
  };
  const push = client.products.push(items(1200), { match: 'sku', onProgress });
  await expect(push).rejects.toBe(enough);
  expect(network.sent).toHaveLength(1);
});

it('A large push has the same keys when it is repeated, whatever a proxy has refused before', async () => {
  const options = { match: 'sku', idempotencyKey: 'mine', lenient: true } as const;
  const connected = connectToCreator();
  connected.network.next(new Response('<h1>Too large</h1>', { status: 413 }));
  for (let times = 0; times < 2; times++) {
    await connected.client.products.push(items(501), options);
  }
  const [halves, whole] = [
    ['mine', 'mine-1.2', 'mine-1.3', 'mine-2'],
    ['mine', 'mine-2'],
  ];
  expect(keys(connected)).toEqual([...halves, ...whole]);
});

it('A push whose response is lost is retried without a key too, and reports what the first try wrote as unchanged', async () => {
  const connected = connect('answer lost');
  const options = { match: 'sku', idempotencyKey: null } as const;
  const results = await connected.client.products.push(items(3), options);
  expect(keys(connected)).toEqual([null, null]);
  expect(results).toEqual(
    (await listed()).map((resource) => ({ id: resource.id, status: 'unchanged', resource })),
  );
});

it('A push whose response is lost has no resource for items deleted before the retry', async () => {
  const { products } = connect().client;
  const options = { match: 'sku', idempotencyKey: 'repeated' } as const;
  const first = await products.push(items(3), options);
  await products.delete(first[1]?.id ?? '');
  const again = await products.push(items(3), options);
  expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  const shown = again.map((result) => 'resource' in result && result.resource?.sku);
  expect(shown).toEqual(['S-0', false, 'S-2']);
});
