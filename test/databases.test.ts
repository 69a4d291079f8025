import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { keyChecksum, newApiKey } from '../src/auth/api-key.ts';
import worker from '../src/index.ts';
import type { Answer, TestBrand } from './support/brand.ts';
import { resourcesOf, send } from './support/brand.ts';
import type { Intercept } from './support/intercept-d1.ts';
import { interceptD1 } from './support/intercept-d1.ts';
import type { DatabaseNumber } from './support/databases.ts';
import {
  brandIn,
  contentOf,
  executeIn,
  migrateAll,
  relocate,
  setKeys,
  several,
  watch,
} from './support/databases.ts';
import { D1_ERRORS, d1Error } from './support/faults.ts';
import { makeProducts } from './support/make.ts';
import type { Ids } from './support/operations.ts';
import { bearer, makeResources, operations, perform } from './support/operations.ts';

// Brands in several databases. A brand that has moved is served where it is now, with the keys that it had before. The moves
// themselves are in admin/test/workers/moves.test.ts.

beforeAll(migrateAll);

const BOOKMARK = 'x-d1-bookmark';
const OF_D1 = '00000001-00000002-00000003-0123456789abcdef0123456789abcdef';
const OF_DATABASE_0 = `bik_z00${'0'.repeat(40)}`;
const line = z.record(z.string(), z.unknown());
/** A time that has passed. */
const PAST = '2020-01-01T00:00:00.000Z';
const PRODUCT = { title: 'Bar', priceCents: 1 };

/** What the service logs. */
let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((text: unknown) => {
    lines.push(line.parse(JSON.parse(String(text))));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** One call to each of these databases. */
function onceEach(numbers: readonly DatabaseNumber[]): object {
  return Object.fromEntries(numbers.map((number) => [number, 1]));
}

/** A brand with resources that has moved along a way, with a key of its first database. */
async function moved(
  first: DatabaseNumber,
  ...way: readonly DatabaseNumber[]
): Promise<{ readonly brand: TestBrand; readonly brandId: string; readonly ids: Ids }> {
  const brand = await brandIn(first);
  const ids = await makeResources(brand);
  for (const to of way) await relocate(brand, to);
  return { brand, brandId: brand.issued.brandId, ids };
}

function expectUnavailable({ status, headers, body }: Answer): void {
  expect([status, headers.get('Retry-After')]).toEqual([503, '1']);
  expect(body).toEqual({ error: 'Service temporarily unavailable.' });
}

/** Where brands are: their databases, from the one that issued the key to the home. */
const PLACES = [
  { what: 'is in another database', way: [2], isFrozen: false },
  { what: 'has moved', way: [1, 0], isFrozen: false },
  { what: 'has moved twice', way: [0, 1, 2], isFrozen: false },
  // Not in database 0: a reset of the tokens of all its brands is refused while one is frozen, and other files share it.
  { what: 'is frozen', way: [1], isFrozen: true },
] as const;

it.each(PLACES.flatMap((place) => operations.map((operation) => ({ ...place, ...operation }))))(
  'A brand that has moved is asked once on its way, and changed only at home: $what, $name',
  async ({ way, isFrozen, ...operation }) => {
    const [first, ...moves] = way;
    const { brand, brandId, ids } = await moved(first);
    const sent = { headers: bearer(brand), service: several };
    const isRead = operation.method === 'GET';
    const asUsual = isRead ? await perform(operation, ids, sent) : undefined;
    for (const to of moves) await relocate(brand, to);
    // As if the second move had not reached the first database.
    if (way.length === 3) await setKeys(0, brandId, 'moved_to', 1);
    if (isFrozen) await setKeys(1, brandId, 'frozen_at', PAST);
    const all = (): Promise<string[]> =>
      Promise.all(way.map((number) => contentOf(number, brandId)));
    const before = await all();

    const { options, calls } = watch();
    const answer = await perform(operation, ids, { ...sent, ...options });
    if (isFrozen && !isRead) expectUnavailable(answer);
    else expect(answer.status, answer.text).toBe(operation.status);
    if (asUsual) expect(answer.text).toBe(asUsual.text);
    expect(calls).toEqual(onceEach(way));
    const after = await all();
    // The brand has the name that the PUT sends.
    const isChange = !isRead && !isFrozen && operation.name !== 'PUT /profile';
    expect(after.pop() !== before.pop()).toBe(isChange);
    expect(after).toEqual(before);
    const { brandId: logged, database = 0, d1Calls } = lines.at(-1) ?? {};
    expect([logged, database, d1Calls]).toEqual([brandId, way.at(-1), way.length]);
  },
);

it.each<[key: string, calls: object]>([
  [newApiKey(1), { 1: 1 }],
  [OF_DATABASE_0 + keyChecksum(OF_DATABASE_0), { 0: 1 }],
  ...[4, 62, 3843].map((number): [string, object] => [newApiKey(number), {}]),
])('An unknown key is 401, which counts as a failure: %s calls %o', async (key, expected) => {
  const counted: string[] = [];
  const counting = (name: string): RateLimit => ({
    limit: () => Promise.resolve({ success: counted.push(name) > 0 }),
  });
  const limits = { KEY_RATE_LIMIT: counting('key'), FAILURE_RATE_LIMIT: counting('failure') };
  const { options, calls } = watch();
  const headers = { Authorization: `Bearer ${key}` };
  const service = { ...several, limits };
  const answer = await send('GET', '/api/brand/v1/profile', { headers, service, ...options });
  expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key.' }]);
  expect(answer.headers.get('WWW-Authenticate')).toBe(
    'Bearer realm="brand-api", error="invalid_token"',
  );
  expect(answer.headers.has(BOOKMARK)).toBe(false);
  expect([calls, counted]).toEqual([expected, ['key', 'failure']]);
});

it('A key that is unknown where its brand is at home is 401', async () => {
  const { brand, brandId } = await moved(0, 1);
  await executeIn(1)(sql`delete from api_keys where brand_id = ${brandId}`);
  expect((await brand.send('GET', '/products')).status).toBe(401);
});

it.each([
  ['revoked_at', PAST, 401, 401],
  ['expires_at', PAST, 401, 401],
  ['suspended_at', PAST, 403, 403],
  ['scope', 'read', 200, 403],
  ['frozen_at', PAST, 200, 503],
] as const)(
  'What keys say counts where their brand is at home, and nowhere else: %s',
  async (...row) => {
    const [column, value, read, write] = row;
    const { brand, brandId } = await moved(0, 1);
    const statuses = async (): Promise<number[]> => [
      (await brand.send('GET', '/products')).status,
      (await brand.send('POST', '/products', PRODUCT)).status,
      // Refused before any work, so that only the key is looked up.
      (await brand.send('POST', '/products', 'x')).status,
    ];
    await setKeys(0, brandId, column, value);
    expect(await statuses()).toEqual([200, 201, 400]);
    await setKeys(1, brandId, column, value);
    const before = await contentOf(1, brandId);
    expect(await statuses()).toEqual([read, write, write]);
    expect(await contentOf(1, brandId)).toBe(before);
  },
);

// Where the keys of each database point, from number 0 on; which databases are asked; and what the log says.
it.each<[what: string, ways: number[], asked: DatabaseNumber[], logged?: string]>([
  ['moves right now: each says the other', [1, 0], [0, 1]],
  ['points at itself', [0], [0]],
  ['is in a circle of three', [1, 2, 0], [0, 1, 2]],
  ['goes back to its middle', [1, 2, 1], [0, 1, 2]],
  ['is behind more than two moves', [1, 2, 3], [0, 1, 2]],
  ['is in a database without a binding', [9], [0], 'There is no binding DB_9.'],
  ['is there by a detour', [1, 3843], [0, 1], 'There is no binding DB_3843.'],
])('A brand that cannot be found is 503, before anything else is wrong: it %s', async (...row) => {
  const [, ways, asked, logged = ''] = row;
  const { brand, brandId } = await moved(0, 1, 2, 3);
  for (const number of [0, 1, 2] as const) {
    const to = ways[number];
    if (to !== undefined) await setKeys(number, brandId, 'moved_to', to);
  }
  for (const [method, path, body] of [
    ['GET', '/products'],
    ['GET', '/products?colour=red'],
    ['POST', '/products', PRODUCT],
    ['POST', '/products', {}],
  ] as const) {
    const { options, calls } = watch();
    expectUnavailable(await brand.send(method, path, body, options));
    expect(calls).toEqual(onceEach(asked));
    expect(JSON.stringify(lines)).toContain(logged);
  }
});

it('A complete list is read on where its brand moves meanwhile, and ends after too many moves', async () => {
  const brand = await brandIn(0);
  await makeProducts(brand, 2500);
  const known = await brand.list('/products');
  /** Gives one part, and then does something. */
  const leaving = (leave: () => Promise<void>): Intercept => {
    let calls = 0;
    return async (call) => {
      if (++calls === 2) await leave();
      return call();
    };
  };
  const { options, calls } = watch({
    0: leaving(() => relocate(brand, 1)),
    1: leaving(() => relocate(brand, 2)),
  });
  const listed = resourcesOf(await brand.send('GET', '/products', undefined, options));
  expect(listed).toEqual(known);
  expect(calls).toEqual({ 0: 2, 1: 2, 2: 1 });

  const lost = watch({ 2: leaving(() => setKeys(2, brand.issued.brandId, 'moved_to', 2)) });
  await expect(brand.send('GET', '/products', undefined, lost.options)).rejects.toThrow();
});

it.each([
  [0, { 0: 3 }],
  [1, { 0: 1, 1: 3 }],
])(
  'A database that fails is asked as often as one alone: database %i of two',
  async (failing, asked) => {
    const { brand } = await moved(0, 1);
    const fail: Intercept = () => Promise.reject(d1Error(D1_ERRORS.lost[0]));
    const { options, calls } = watch({ [failing]: fail });
    expectUnavailable(await brand.send('GET', '/products', undefined, options));
    expect(calls).toEqual(asked);
  },
);

it.each<[path: string, body: unknown]>([
  ['/products', PRODUCT],
  ['/products', { products: [PRODUCT] }],
  ['/products?match=sku', { products: [{ ...PRODUCT, sku: 'A' }] }],
  ['/products?match=sku&dryRun=true', { products: [{ ...PRODUCT, sku: 'A' }] }],
  ['/products', {}],
  ['/products', 'x'.repeat(3_000_000)],
])(
  'A frozen brand refuses a POST, and replays nothing, if its key could write: %s %#',
  async (...row) => {
    const [path, body] = row;
    const { brand, brandId } = await moved(1);
    const old = { headers: { 'Idempotency-Key': 'old' } };
    expect((await brand.send('POST', '/products', PRODUCT, old)).status).toBe(201);
    await setKeys(1, brandId, 'frozen_at', PAST);
    const before = await contentOf(1, brandId);
    expectUnavailable(await brand.send('POST', path, body, old));
    expectUnavailable(await brand.send('POST', path, body));
    expect(await contentOf(1, brandId)).toBe(before);
    await setKeys(1, brandId, 'scope', 'read');
    expect((await brand.send('POST', path, body)).status).toBe(403);
    await setKeys(1, brandId, 'revoked_at', PAST);
    expect((await brand.send('POST', path, body)).status).toBe(401);
  },
);

it.each<[way: [DatabaseNumber, ...DatabaseNumber[]], prefix: string]>([
  [[0], ''],
  [[1], '1-'],
  // To a database with fewer writes, and so with smaller bookmarks.
  [[0, 3], ''],
  [[2, 3], '2-'],
])(
  'A bookmark on the way has the prefix of that way, and is that of the first database: %j, "%s"',
  async ([first, ...way], prefix) => {
    const { brand } = await moved(first);
    const bookmarkOf = async (method: string, body?: object): Promise<string> =>
      (await brand.send(method, '/profile', body)).headers.get(BOOKMARK) ?? '';
    const before = await bookmarkOf('GET');
    for (const to of way) await relocate(brand, to);
    const after = await bookmarkOf('PATCH', { brand: { description: 'Changed' } });
    // The client keeps the greater text. A replica that is as fresh as that knows that the brand has moved.
    expect(after > before).toBe(true);
    const ofD1 = after.slice(prefix.length);
    expect([after.startsWith(prefix), ofD1.length]).toEqual([true, OF_D1.length]);
    const { options, starts } = watch();
    await brand.send('GET', '/profile', undefined, {
      ...options,
      headers: { [BOOKMARK]: after },
    });
    const there = Object.fromEntries(way.map((number) => [number, ['first-primary']]));
    expect(starts).toEqual({ [first]: ['first-primary', ofD1], ...there });
  },
);

it.each<readonly [DatabaseNumber, prefix: string, status: number]>([
  [0, '1-', 200],
  ...['', '2-', '11-', '3843-'].map((prefix) => [1, prefix, 200] as const),
  ...['0-', '01-', '-', '1-1-', '12345-', 'x-', '1 -', '1'].map(
    (prefix) => [1, prefix, 400] as const,
  ),
])(
  'A bookmark with another prefix is not sent to D1: database %i, "%s", %i',
  async (at, prefix, status) => {
    const brand = await brandIn(at);
    const { options, starts } = watch();
    const answer = await brand.send('GET', '/products', undefined, {
      ...options,
      headers: { [BOOKMARK]: prefix + OF_D1 },
    });
    expect([answer.status, starts]).toEqual([status, { [at]: ['first-primary'] }]);
  },
);

const TASKS = ['remove expired idempotency records', 'remove expired tombstones'];

/** Runs it with databases in place of the real ones, which delete as many rows at each call as a function says. */
function runWith(names: readonly string[], deleted: (name: string) => number): Promise<void> {
  const fakes = names.map((name): [string, D1Database] => [
    name,
    interceptD1(env.DB, () => Promise.resolve({ meta: { changes: deleted(name) } })),
  ]);
  return worker.scheduled(createScheduledController(), {
    ...env,
    DAILY_JOB_QUERIES: 1000,
    ...Object.fromEntries(fakes),
  });
}

it.each([[[]], [['DB']], [['DB_1']], [['DB', 'DB_2']]])(
  'The daily job visits every database though some fail, and reports it: %j',
  async (failing: readonly string[]) => {
    const names = ['DB', 'DB_1', 'DB_2', 'DB_3'];
    const asked: string[] = [];
    const run = runWith([...names, 'DB_X', 'MY_DB_1', 'DB_WIDGETS'], (name) => {
      const isFirst = !asked.includes(name);
      asked.push(name);
      if (isFirst && failing.includes(name)) throw d1Error(D1_ERRORS.bug[0]);
      return 7;
    });
    const reports = failing.map((name) => `${name}: Error: D1_ERROR: near "x": syntax error`);
    const error = reports.length === 0 ? undefined : `Error: ${reports.join('; ')}`;
    expect(await run.catch(String)).toBe(error);
    // The third call notes that the job was done.
    const calls = (name: string): number => (failing.includes(name) ? 2 : 3);
    expect(asked).toEqual(names.flatMap((name) => Array<string>(calls(name)).fill(name)));
    const logged = names.flatMap((name, number) =>
      TASKS.slice(failing.includes(name) ? 1 : 0).map((task) => ({
        task,
        removed: 7,
        ...(number > 0 && { database: number }),
      })),
    );
    expect(lines).toEqual(logged);
  },
);

it('The daily job asks each of 111 full databases that fail twice before each success, with at most 1,000 queries on the paid plan', async () => {
  const names = ['DB', ...Array.from({ length: 110 }, (_, index) => `DB_${index + 1}`)];
  const asked = new Set<string>();
  let queries = 0;
  // The shortest wait between two tries.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await runWith(names, (name) => {
    asked.add(name);
    if (++queries % 3 > 0) throw d1Error(D1_ERRORS.lost[0]);
    return 5000;
  });
  expect([...asked]).toEqual(names);
  expect(queries).toBeLessThanOrEqual(1000);
});
