import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { keyChecksum } from '../src/auth/api-key.ts';
import { generateApiKey } from '../tools/admin/api-key.ts';
import worker from '../src/index.ts';
import type { Answer, TestBrand } from './support/brand.ts';
import { send } from './support/brand.ts';
import { interceptD1 } from './support/d1.ts';
import type { DatabaseNumber } from './support/databases.ts';
import {
  brandIn,
  countsIn,
  databases,
  migrateAll,
  PAST,
  relocate,
  setKeys,
  several,
  watch,
} from './support/databases.ts';
import { D1_ERRORS, d1Error } from './support/faults.ts';
import { bearer, makeResources, operations, perform } from './support/operations.ts';

// Brands in several databases. What happens to those that move is in moved-brands.test.ts.

const BOOKMARK = 'x-d1-bookmark';
const OF_D1 = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
const line = z.record(z.string(), z.unknown());
const PRODUCT = { title: 'Bar', priceCents: 1 };
const PROFILE = '/api/brand/v1/profile';

beforeAll(migrateAll);

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

function withBookmark(bookmark: string): { headers: Record<string, string> } {
  return { headers: { [BOOKMARK]: bookmark } };
}

function bookmarkIn({ headers }: Answer): string {
  return headers.get(BOOKMARK) ?? '';
}

describe('A key with the number of a database', () => {
  it.each(operations)(
    'is served there in one call, and none elsewhere: $name',
    async (operation) => {
      const brand = await brandIn(2);
      expect(brand.issued.apiKey).toMatch(/^bik_z02/);
      const ids = await makeResources(brand);
      const { options, calls } = watch();
      const answer = await perform(operation, ids, {
        ...{ service: several, headers: bearer(brand) },
        ...options,
      });
      expect([answer.status, calls]).toEqual([operation.status, { 2: 1 }]);
      expect(await countsIn(0, brand.issued.brandId)).toMatchObject({ brands: 0, products: 0 });
    },
  );

  it('is 401 without a call if there is no such database, which counts as a failure', async () => {
    const counted: string[] = [];
    const counting = (name: string): RateLimit => ({
      limit: () => {
        counted.push(name);
        return Promise.resolve({ success: true });
      },
    });
    const limits = { KEY_RATE_LIMIT: counting('key'), FAILURE_RATE_LIMIT: counting('failure') };
    const { options, calls } = watch();
    const sent = { ...options, service: { ...several, limits } };
    for (const number of [4, 62, 3843]) {
      const headers = { Authorization: `Bearer ${generateApiKey(number)}` };
      const answer = await send('GET', PROFILE, { headers, ...sent });
      expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key.' }]);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(answer.headers.has(BOOKMARK)).toBe(false);
    }
    expect([calls, counted.slice(0, 2)]).toEqual([{}, ['key', 'failure']]);
  });

  it('is unknown in every other database', async () => {
    const body = `bik_z00${'0'.repeat(40)}`;
    for (const key of [generateApiKey(1), body + keyChecksum(body)]) {
      const { options, calls } = watch();
      const headers = { Authorization: `Bearer ${key}` };
      expect((await send('GET', PROFILE, { headers, ...options })).status).toBe(401);
      expect(Object.values(calls)).toEqual([1]);
    }
  });
});

describe('A bookmark', () => {
  it('carries the number of its database, and comes back to D1 as it was', async () => {
    for (const number of [0, 1] as const) {
      const brand = await brandIn(number);
      const bookmark = bookmarkIn(await brand.send('PATCH', '/profile', {}));
      const ofD1 = number === 0 ? bookmark : bookmark.slice(2);
      expect(ofD1).toMatch(OF_D1);
      expect(bookmark).toBe(number === 0 ? ofD1 : `1-${ofD1}`);
      const { options, starts } = watch();
      const answer = await brand.send('GET', '/products', undefined, {
        ...withBookmark(bookmark),
        ...options,
      });
      expect(answer.status).toBe(200);
      expect(starts[number]).toEqual(['first-primary', ofD1]);
    }
  });

  it.each<readonly [DatabaseNumber, prefix: string, status: number]>([
    [0, '1-', 200],
    ...['', '2-', '11-', '3843-'].map((prefix) => [1, prefix, 200] as const),
    ...['0-', '01-', '-', '1-1-', '12345-', 'x-', '1 -', '1'].map(
      (prefix) => [1, prefix, 400] as const,
    ),
  ])('in database %i that begins with "%s" is not sent to D1: %i', async (at, prefix, status) => {
    const brand = await brandIn(at);
    const { options, starts } = watch();
    const bookmark = `${prefix}00000001-00000002-00000003-0123456789abcdef0123456789abcdef`;
    const answer = await brand.send('GET', '/products', undefined, {
      ...withBookmark(bookmark),
      ...options,
    });
    expect([answer.status, starts]).toEqual([status, { [at]: ['first-primary'] }]);
  });

  it.each([
    [0, 1],
    [2, 1],
  ] as const)(
    'of a brand that moves from %i to %i is of the key, and no older than the move',
    async (from, to) => {
      const brand = await brandIn(from);
      const before = bookmarkIn(await brand.send('GET', '/profile'));
      await relocate(brand, to);
      const answer = await brand.send('POST', '/products', PRODUCT);
      const after = bookmarkIn(answer);
      // The client keeps the greater text. A replica that is as fresh as that knows that the brand has moved.
      expect(after > before).toBe(true);
      const { options, starts } = watch();
      await brand.send('GET', '/profile', undefined, { ...withBookmark(after), ...options });
      const ofD1 = OF_D1.exec(from === 0 ? after : after.slice(2))?.[0];
      expect(starts).toEqual({ [from]: ['first-primary', ofD1], [to]: ['first-primary'] });
    },
  );
});

describe('The log', () => {
  it('names the database that has the brand, unless it is number 0', async () => {
    const logged = async (brand: TestBrand): Promise<unknown[]> => {
      await brand.send('GET', '/profile');
      const { status, brandId, database, d1Calls } = lines.at(-1) ?? {};
      expect([status, brandId]).toEqual([200, brand.issued.brandId]);
      return [database, d1Calls];
    };
    const brand = await brandIn(0);
    expect(await logged(brand)).toEqual([undefined, 1]);
    expect(await logged(await brandIn(2))).toEqual([2, 1]);
    await relocate(brand, 1);
    expect(await logged(brand)).toEqual([1, 2]);
    await relocate(brand, 0);
    expect(await logged(brand)).toEqual([undefined, 1]);
  });

  it('names the binding that is missing', async () => {
    const brand = await brandIn(0);
    await setKeys(0, brand.issued.brandId, 'moved_to', 7);
    expect((await brand.send('POST', '/products', PRODUCT)).status).toBe(503);
    expect(JSON.stringify(lines)).toContain('There is no binding DB_7.');
  });
});

describe('The daily job', () => {
  /** A brand with an expired record and an expired tombstone more than the newest. */
  async function expiring(number: DatabaseNumber): Promise<string> {
    const { brandId } = (await brandIn(number)).issued;
    const texts = [
      `insert into idempotency_records (brand_id, key, fingerprint, request, created_at, results)
        values (?, 'old', '${'0'.repeat(64)}', ?, '${PAST}', '[]')`,
      ...[1, 2].map(
        (change) =>
          `insert into tombstones (brand_id, collection, change_number, id, deleted_at)
            values (?, 'products', ${change}, ?, '${PAST}')`,
      ),
    ];
    for (const text of texts) {
      await databases[number].prepare(text).bind(brandId, crypto.randomUUID()).run();
    }
    return brandId;
  }

  async function leftIn(number: DatabaseNumber, brandId: string): Promise<number[]> {
    const counts = await countsIn(number, brandId);
    return [counts['idempotency_records'] ?? NaN, counts['tombstones'] ?? NaN];
  }

  it.each<[failing: number[], message?: RegExp]>([
    [[]],
    [[0], /^DB: Error: D1_ERROR: near "x": syntax error$/],
    [[1], /^DB_1: Error: D1_ERROR: near "x": syntax error$/],
    [[0, 2], /^DB: Error: D1_ERROR: [^;]*; DB_2: Error: D1_ERROR: near "x": syntax error$/],
  ])('visits every database, though %j fail, and reports it', async (failing, message) => {
    const numbers = [0, 1, 2, 3] as const;
    const brands: string[] = [];
    for (const number of numbers) brands.push(await expiring(number));
    const failingOnce = failing.map((number) => {
      const errors = [d1Error(D1_ERRORS.bug[0])];
      const intercept = (): Promise<unknown> => {
        const error = errors.pop();
        return error ? Promise.reject(error) : Promise.resolve({ meta: { changes: 0 } });
      };
      return [number, intercept] as const;
    });
    const { options } = watch(Object.fromEntries(failingOnce));
    const run = worker.scheduled(createScheduledController(), {
      ...{ ...env, ...options.databases, DB: options.db },
    });
    if (message) await expect(run).rejects.toThrow(message);
    else await run;
    for (const number of numbers.filter((number) => !failing.includes(number))) {
      expect(await leftIn(number, brands[number] ?? '')).toEqual([0, 1]);
    }
    expect(lines).toHaveLength(8 - failing.length);
    if (message) return;
    expect(lines.map(({ task, database }) => [task, database])).toEqual(
      [undefined, 1, 2, 3].flatMap((database) => [
        ['remove expired idempotency records', database],
        ['remove expired tombstones', database],
      ]),
    );
    for (const { removed } of lines) expect(removed).toBeGreaterThanOrEqual(1);
  });

  it('asks each of 160 full databases that fail twice before each success, with at most 1,000 queries', async () => {
    const asked = new Set<string>();
    let queries = 0;
    const full = (name: string): D1Database =>
      interceptD1(env.DB, () => {
        asked.add(name);
        if (++queries % 3 > 0) throw d1Error(D1_ERRORS.lost[0]);
        return Promise.resolve({ meta: { changes: 5000 } });
      });
    const names = Array.from({ length: 159 }, (_, index) => `DB_${index + 1}`);
    const further = Object.fromEntries(names.map((name) => [name, full(name)]));
    // The shortest wait between two tries.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await worker.scheduled(createScheduledController(), { ...env, ...further, DB: full('DB') });
    expect(asked.size).toBe(160);
    expect(queries).toBeLessThanOrEqual(1000);
  });

  it('leaves other bindings alone', async () => {
    const untouched = new Proxy(env.DB_WIDGETS, {
      get: () => {
        throw new Error('asked');
      },
    });
    const bindings = { ...env, DB_WIDGETS: untouched, DB_X: untouched, MY_DB_1: untouched };
    await worker.scheduled(createScheduledController(), bindings);
    expect(lines).toHaveLength(2);
  });
});
