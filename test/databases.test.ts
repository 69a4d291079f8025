import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { checksum, generateApiKey } from '../src/auth/api-key.ts';
import worker from '../src/index.ts';
import type { Answer, TestBrand } from './support/brand.ts';
import { send } from './support/brand.ts';
import { interceptD1 } from './support/d1.ts';
import type { DatabaseNumber } from './support/databases.ts';
import {
  brandIn,
  contentOf,
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

beforeAll(migrateAll);

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

  it('is 401 without a call if there is no such database', async () => {
    const { options, calls } = watch();
    for (const number of [4, 62, 3843]) {
      const headers = { Authorization: `Bearer ${generateApiKey(number)}` };
      const answer = await send('GET', '/api/brand/v1/profile', { headers, ...options });
      expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key.' }]);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(answer.headers.has(BOOKMARK)).toBe(false);
    }
    expect(calls).toEqual({});
  });

  it('is unknown in every other database', async () => {
    const body = `bik_z00${'0'.repeat(40)}`;
    for (const key of [generateApiKey(1), body + checksum(body)]) {
      const { options, calls } = watch();
      const headers = { Authorization: `Bearer ${key}` };
      expect((await send('GET', '/api/brand/v1/profile', { headers, ...options })).status).toBe(
        401,
      );
      expect(Object.values(calls)).toEqual([1]);
    }
  });

  it('counts a request that it refuses as a failed authentication', async () => {
    const counted: string[] = [];
    const counting = (name: string): RateLimit => ({
      limit: () => {
        counted.push(name);
        return Promise.resolve({ success: true });
      },
    });
    const limits = {
      KEY_RATE_LIMIT: counting('key'),
      FAILURE_RATE_LIMIT: counting('failure'),
    };
    const service = { ...several, limits };
    const headers = { Authorization: `Bearer ${generateApiKey(9)}` };
    await send('GET', '/api/brand/v1/profile', { headers, service });
    expect(counted).toEqual(['key', 'failure']);
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

  it.each<[DatabaseNumber, (ofD1: string) => string]>([
    [0, (ofD1) => `1-${ofD1}`],
    [1, (ofD1) => ofD1],
    [1, (ofD1) => `2-${ofD1}`],
    [1, (ofD1) => `11-${ofD1}`],
    [1, (ofD1) => `3843-${ofD1}`],
  ])('of another database is ignored by database %i, number %#', async (number, ofAnother) => {
    const brand = await brandIn(number);
    const bookmark = ofAnother('00000001-00000002-00000003-0123456789abcdef0123456789abcdef');
    const { options, starts } = watch();
    const answer = await brand.send('GET', '/products', undefined, {
      ...withBookmark(bookmark),
      ...options,
    });
    expect([answer.status, starts]).toEqual([200, { [number]: ['first-primary'] }]);
  });

  it.each(['0-', '01-', '-', '1-1-', '1--', '12345-', 'x-', '1 -', '1'])(
    'does not begin with %o',
    async (number) => {
      const brand = await brandIn(1);
      const ofD1 = bookmarkIn(await brand.send('GET', '/profile')).slice(2);
      const answer = await brand.send('GET', '/products', undefined, withBookmark(number + ofD1));
      expect(answer.status).toBe(400);
      expect(answer.body['error']).toMatch(/^Invalid request: x-d1-bookmark: /);
    },
  );

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

describe('A line of the log', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  async function logged(brand: TestBrand): Promise<Record<string, unknown>> {
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    await brand.send('GET', '/profile');
    return line.parse(JSON.parse(String(log.mock.lastCall?.[0])));
  }

  it('names the database that has the brand, unless it is number 0', async () => {
    expect(await logged(await brandIn(0))).not.toHaveProperty('database');
    expect(await logged(await brandIn(2))).toMatchObject({ database: 2, d1Calls: 1 });
    const brand = await brandIn(0);
    await relocate(brand, 1);
    const { brandId } = brand.issued;
    expect(await logged(brand)).toMatchObject({ brandId, database: 1, d1Calls: 2, status: 200 });
    await relocate(brand, 0);
    expect(await logged(brand)).not.toHaveProperty('database');
  });
});

describe('The daily job', () => {
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

  /** A brand with an expired record and an expired tombstone more than the newest. */
  async function expiring(number: DatabaseNumber): Promise<string> {
    const { brandId } = (await brandIn(number)).issued;
    const run = (text: string, ...values: unknown[]): Promise<unknown> =>
      databases[number]
        .prepare(text)
        .bind(brandId, ...values)
        .run();
    await run(
      `insert into idempotency_records (brand_id, key, fingerprint, request, created_at, results)
        values (?, 'old', '${'0'.repeat(64)}', ?, '${PAST}', '[]')`,
      crypto.randomUUID(),
    );
    for (const change of [1, 2]) {
      await run(
        `insert into tombstones (brand_id, collection, change_number, id, deleted_at)
          values (?, 'products', ${change}, ?, '${PAST}')`,
        crypto.randomUUID(),
      );
    }
    return brandId;
  }

  async function leftIn(number: DatabaseNumber, brandId: string): Promise<number[]> {
    const { idempotency_records: records = NaN, tombstones = NaN } = await countsIn(
      number,
      brandId,
    );
    return [records, tombstones];
  }

  it('visits every database, and says what it removed in each', async () => {
    const numbers = [0, 1, 2, 3] as const;
    const brands: string[] = [];
    for (const number of numbers) brands.push(await expiring(number));
    await worker.scheduled(createScheduledController(), { ...env, ...several.databases });
    for (const number of numbers) {
      expect(await leftIn(number, brands[number] ?? '')).toEqual([0, 1]);
    }
    expect(lines.map(({ task, database }) => [task, database])).toEqual(
      [undefined, 1, 2, 3].flatMap((database) => [
        ['remove expired idempotency records', database],
        ['remove expired tombstones', database],
      ]),
    );
    for (const { removed } of lines) expect(removed).toBeGreaterThanOrEqual(1);
  });

  it.each([
    [[1], /^DB_1: Error: D1_ERROR: near "x": syntax error$/],
    [
      [0, 2],
      /^DB: Error: D1_ERROR: near "x": syntax error; DB_2: Error: D1_ERROR: near "x": syntax error$/,
    ],
  ])('goes on if the databases %j fail, and reports it', async (failing, message) => {
    const numbers = [0, 1, 2, 3] as const;
    const brands: string[] = [];
    for (const number of numbers) brands.push(await expiring(number));
    const once = (): (() => Promise<unknown>) => {
      let called = false;
      return () => {
        if (called) return Promise.resolve({ meta: { changes: 0 } });
        called = true;
        throw d1Error(D1_ERRORS.bug[0]);
      };
    };
    const { options } = watch(Object.fromEntries(failing.map((number) => [number, once()])));
    const run = worker.scheduled(createScheduledController(), {
      ...{ ...env, ...options.databases, DB: options.db },
    });
    await expect(run).rejects.toThrow(message);
    for (const number of numbers.filter((number) => !failing.includes(number))) {
      expect(await leftIn(number, brands[number] ?? '')).toEqual([0, 1]);
    }
    expect(lines).toHaveLength(8 - failing.length);
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

describe('With one database', () => {
  it('a brand that has moved elsewhere is 503, and the operator sees which binding is missing', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    const brand = await brandIn(0);
    await setKeys(0, brand.issued.brandId, 'moved_to', 7);
    const before = await contentOf(0, brand.issued.brandId);
    const answer = await brand.send('POST', '/products', PRODUCT);
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: 'Service temporarily unavailable.' },
    ]);
    expect(answer.headers.get('Retry-After')).toBe('1');
    expect(log.mock.calls.join()).toContain('There is no binding DB_7.');
    expect(await contentOf(0, brand.issued.brandId)).toBe(before);
    vi.restoreAllMocks();
  });
});
