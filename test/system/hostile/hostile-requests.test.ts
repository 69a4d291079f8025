import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { generateApiKey } from '../../../src/auth/api-key.ts';
import { cpuOf, workerOf } from './cpu.ts';
import type { LargePush, Operation } from './hostile-bodies.ts';
import {
  bodiesOfManyParts,
  bodiesOfObjects,
  harmlessBodies,
  longDescriptions,
  longTexts,
  hostileBodies,
  LARGE_ITEMS,
  largePushes,
  newNames,
  operations,
  ordinaryProducts,
  sameNames,
} from './hostile-bodies.ts';
import { sendRaw } from '../../node/raw-http.ts';
import type { OwnServer } from '../../node/server.ts';
import { startServer } from '../../node/own-server.ts';

// Wall time says little on a busy machine, so this test reads the CPU time of the Worker's process, which Linux counts
// for each thread.

/** The maximum CPU time of a hostile request, as a multiple of a harmless one of the same size. */
const MOST = 10;
/** The CPU time in milliseconds below which a multiple means nothing. */
const FLOOR = 30;
/** A request above its limit is repeated, and the lowest time counts, so that garbage collection causes no failure. */
const TRIES = 4;

const resource = z.record(z.string(), z.object({ id: z.string() }));
const list = z.object({ products: z.array(z.object({ id: z.string() })) });

let server: OwnServer;
let worker: number;
let ids: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  server = await startServer();
  worker = await workerOf(server.group, server.port);
  ids = {
    '/products/:id': await create('/products', { title: 'A', priceCents: 1 }),
    '/coupon-codes/:id': await create('/coupon-codes', { code: 'A', discountPercent: 1 }),
  };
});

afterAll(() => server.stop());

describe.skipIf(process.platform !== 'linux')('hostile bodies', () => {
  /** By case, the size of a harmless body in bytes and the limit that follows from it, small ones first. */
  const limits = new Map<string, { readonly size: number; readonly limit: number }[]>();
  const limitOf = (one: Case, size: number): number =>
    limits.get(nameOf(one))?.findLast((harmless) => harmless.size <= size)?.limit ?? FLOOR;
  const cases = operations.flatMap((operation) =>
    (['live', 'unknown'] as const).flatMap((key): Case[] => [
      ...(operation.isPush ? [] : [{ operation, key, shape: 'one' } as const]),
      ...(operation.many === undefined ? [] : [{ operation, key, shape: 'list' } as const]),
    ]),
  );

  beforeAll(async () => {
    for (const one of cases) {
      const known: { size: number; limit: number }[] = [];
      for (const harmless of harmlessBodies) {
        const body = harmless[one.shape](one.operation);
        const costs: number[] = [];
        for (let run = 0; run < 3; run++) costs.push((await measure(one, body)).cpu);
        known.push({ size: bytes(body), limit: Math.max(FLOOR, MOST * Math.min(...costs)) });
      }
      limits.set(nameOf(one), known);
    }
  });

  test('there are at least 40 of them', () => {
    expect(new Set(hostileBodies.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
  });

  test.each(hostileBodies)('$name', async (hostile) => {
    const slow: string[] = [];
    for (const one of cases) {
      const body = hostile[one.shape](one.operation);
      const limit = limitOf(one, bytes(body));
      let least = Infinity;
      for (let run = 0; run < TRIES && least > limit; run++) {
        const { status, cpu } = await measure(one, body);
        const statuses = one.key === 'live' ? [200, 201, 400, 409, 413] : [401, 429];
        expect(statuses, nameOf(one)).toContain(status);
        least = Math.min(least, cpu);
      }
      if (least > limit) slow.push(`${nameOf(one)}: ${least.toFixed()} of ${limit.toFixed()} ms`);
    }
    expect(slow).toEqual([]);
  });

  function measure({ operation, key }: Case, body: string): Promise<Measured> {
    return measured(operation, key === 'live' ? server.apiKey : generateApiKey(), body);
  }
});

describe.skipIf(process.platform !== 'linux')('a body in small chunks', () => {
  test('takes at most ten times the CPU of the same in one', async () => {
    const body = `{"title":"${'x'.repeat(200_000)}"}`;
    const limit = Math.max(FLOOR, MOST * (await leastOf(body, body.length)));
    expect(await leastOf(body, 40)).toBeLessThan(limit);
  });

  /** The CPU time of a body in chunks of so many bytes, with a key that does not exist. */
  async function leastOf(body: string, size: number): Promise<number> {
    const head = [
      'POST /api/brand/v1/products HTTP/1.1',
      `Authorization: Bearer ${generateApiKey()}`,
      ...['Host: api.test', 'Transfer-Encoding: chunked', '', ''],
    ].join('\r\n');
    const chunks: string[] = [];
    for (let at = 0; at < body.length; at += size) {
      const chunk = body.slice(at, at + size);
      chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    let least = Infinity;
    for (let run = 0; run < TRIES; run++) {
      const before = await cpuOf(worker);
      const { answers } = await sendRaw(server.port, [`${head}${chunks.join('')}0\r\n\r\n`]);
      expect(answers.map(({ status }) => status)).toEqual([401]);
      least = Math.min(least, (await cpuOf(worker)) - before);
    }
    return least;
  }
});

describe.skipIf(process.platform !== 'linux')('headers and a query of names and tags', () => {
  const SIZE = 100_000;
  /** A list of as many elements as fit, with their numbers in them. */
  const listOf = (size: number, element: (number: number) => string): string =>
    Array.from({ length: size / element(size).length }, (_, index) => element(index + 1)).join('');
  // V8 looks texts of digits up by their value, whose low bits are the same here.
  const ofOneHash = (number: number): string => String(number * 16_384);
  const cases: readonly [name: string, headers: Record<string, string>, query?: string][] = [
    ['preferences of one hash', { Prefer: listOf(SIZE, (number) => `${ofOneHash(number)},`) }],
    ['preferences in quotes', { Prefer: listOf(SIZE, (number) => `return="${number}\\"",`) }],
    ['quotes without an end', { Prefer: listOf(SIZE, () => '"\\"') }],
    ['white space', { Prefer: `return${' '.repeat(SIZE)}x`, 'Idempotency-Key': ' '.repeat(9) }],
    ['tags to match', { 'If-Match': listOf(SIZE, (number) => `"${number}",`) }],
    ['weak tags to match', { 'If-None-Match': listOf(SIZE, (number) => `W/"${number}", `) }],
    ['a long Idempotency-Key', { 'Idempotency-Key': '9'.repeat(SIZE) }],
    ['a long bookmark', { 'x-d1-bookmark': '0-'.repeat(SIZE / 2) }],
    ['a long media type', { 'Content-Type': `application/json${'; a=b'.repeat(SIZE / 5)}` }],
    ['two keys', { 'x-service-api-key': 'bik_'.repeat(SIZE / 4) }],
    ['parameters of one hash', {}, listOf(SIZE / 2, (number) => `${ofOneHash(number)}&`)],
    ['one parameter again and again', {}, 'dryRun&'.repeat(SIZE / 20)],
  ];
  const body = '{"products":[{"sku":"A"}]}';
  let limit = 0;

  beforeAll(async () => {
    // Nothing reads this header.
    limit = Math.max(FLOOR, MOST * (await leastOf({ 'X-Padding': 'x'.repeat(SIZE) }, '')));
  });

  test.each(cases)(
    '%s take at most ten times the CPU of padding',
    async (_, headers, query = '') => {
      expect(await leastOf(headers, query)).toBeLessThan(limit);
    },
  );

  /** The CPU time of a request with a key that does not exist. */
  async function leastOf(headers: Record<string, string>, query: string): Promise<number> {
    let least = Infinity;
    for (let run = 0; run < TRIES; run++) {
      const target = { method: 'POST', path: `/products?match=sku&${query}` };
      const { status, cpu } = await measured(target, generateApiKey(), body, headers);
      expect([400, 401]).toContain(status);
      least = Math.min(least, cpu);
    }
    return least;
  }
});

describe.skipIf(process.platform !== 'linux')('broken escapes', () => {
  const SIZE = 60_000;
  const escapes = '%aa%'.repeat(SIZE / 4);
  const padding = 'aaaa'.repeat(SIZE / 4);
  const cases: readonly [method: string, path: (text: string) => string][] = [
    ['GET', (text) => `/${text}`],
    ['OPTIONS', (text) => `/products/${text}`],
    ['GET', (text) => `/products/${text}`],
    ['PATCH', (text) => `/products/${text}`],
    ['GET', (text) => `/products?sku=${text}`],
    ['POST', (text) => `/products?match=${text}`],
    ['POST', (text) => `/products?${text}`],
  ];

  test.each(cases)('%s %s take at most ten times the CPU of letters', async (method, path) => {
    for (const key of [server.apiKey, generateApiKey()]) {
      const limit = Math.max(FLOOR, MOST * (await leastOf(method, path(padding), key)));
      expect(await leastOf(method, path(escapes), key)).toBeLessThan(limit);
    }
  });

  async function leastOf(method: string, path: string, key: string): Promise<number> {
    let least = Infinity;
    for (let run = 0; run < TRIES; run++) {
      const body = method === 'GET' ? undefined : '{}';
      least = Math.min(least, (await measured({ method, path }, key, body)).cpu);
    }
    return least;
  }
});

describe.skipIf(process.platform !== 'linux')(
  'a list of long texts, with a key that does not exist',
  () => {
    test.each(Object.entries(longTexts))('%s', async (_, unit) => {
      const limit = MOST * (await leastOf('x'));
      expect(await leastOf(unit)).toBeLessThan(limit);
    });

    async function leastOf(unit: string): Promise<number> {
      let least = Infinity;
      for (let run = 0; run < TRIES; run++) {
        const target = { method: 'POST', path: '/products' };
        const { status, cpu } = await measured(target, generateApiKey(), longDescriptions(unit));
        expect([401, 429]).toContain(status);
        least = Math.min(least, cpu);
      }
      return least;
    }
  },
);

describe.skipIf(process.platform !== 'linux')('bodies of the maximum size', () => {
  const bodies: readonly (readonly [string, (operation: Operation) => string])[] = [
    ...hostileBodies.map(({ name, full }) => [name, full] as const),
    ...Object.entries(bodiesOfManyParts),
    ...Object.entries(longTexts).map(
      ([name, unit]) => [name, () => longDescriptions(unit)] as const,
    ),
  ];
  const cases = operations
    .filter(({ path }) => path.split('?')[0] === '/products')
    .flatMap((operation) =>
      (['live', 'unknown'] as const).map((key): Case => ({ operation, key, shape: 'list' })),
    );
  const limits = new Map<Case, number>();

  beforeAll(async () => {
    for (const one of cases) limits.set(one, MOST * (await leastOf(one, ordinaryProducts())));
  });

  test.each(bodies)('%s', async (_, make) => {
    for (const one of cases) {
      const limit = limits.get(one) ?? 0;
      expect(await leastOf(one, make(one.operation), limit), nameOf(one)).toBeLessThan(limit);
    }
  });

  /** The least CPU time of some requests; of fewer if one is below the limit. */
  async function leastOf({ operation, key }: Case, body: string, limit = 0): Promise<number> {
    let least = Infinity;
    for (let run = 0; run < TRIES && least > limit; run++) {
      const apiKey = key === 'live' ? server.apiKey : generateApiKey();
      const { status, cpu } = await measured(operation, apiKey, body);
      expect(key === 'live' ? [200, 201, 400, 413] : [401, 429]).toContain(status);
      least = Math.min(least, cpu);
    }
    return least;
  }
});

describe.skipIf(process.platform !== 'linux')('objects of new names', () => {
  // V8's parser makes a shape for each, so that objects of 50 members took ten times as long.
  test.each(Object.entries(bodiesOfObjects))(
    'take at most three times the CPU of the same names: %s',
    async (_, body) => {
      const limit = 3 * (await leastOf(body(sameNames)));
      expect(await leastOf(body(newNames))).toBeLessThan(limit);
    },
  );

  async function leastOf(body: string): Promise<number> {
    let least = Infinity;
    for (let run = 0; run < TRIES; run++) {
      const target = { method: 'POST', path: '/products' };
      const { status, cpu } = await measured(target, generateApiKey(), body);
      expect([401, 429]).toContain(status);
      least = Math.min(least, cpu);
    }
    return least;
  }
});

describe.skipIf(process.platform !== 'linux')('large pushes', () => {
  const modes = ['dry', 'written', 'lenient', 'keyed'] as const;
  const cases = largePushes.flatMap((push) => push.matches.map((match) => ({ ...push, match })));
  /** By case and mode, the limit in milliseconds. All are measured first, before large bodies leave garbage behind. */
  const limits = new Map<string, number>();
  /** By push, the ids of its own products: the response would show what another push has written to them. */
  const existing = new Map<string, readonly string[]>();
  let runs = 0;

  beforeAll(async () => {
    for (const { name } of largePushes) existing.set(name, await createProducts());
    for (const one of cases) {
      for (const mode of modes) {
        const costs: number[] = [];
        for (let run = 0; run < 3; run++) costs.push(await cost(one, mode, one.harmless));
        limits.set(`${one.name} ${one.match} ${mode}`, MOST * Math.min(...costs));
      }
    }
  });

  test.each(cases)('$name by $match', async (one) => {
    const slow: string[] = [];
    for (const mode of modes) {
      const limit = limits.get(`${one.name} ${one.match} ${mode}`) ?? 0;
      let least = Infinity;
      for (let run = 0; run < TRIES && least > limit; run++) {
        least = Math.min(least, await cost(one, mode, one.body));
      }
      if (least > limit) slow.push(`${mode}: ${least.toFixed()} of ${limit.toFixed()} ms`);
    }
    expect(slow).toEqual([]);
  });

  /** Creates products that have their own ids as the values of the other fields that pushes match by. */
  async function createProducts(): Promise<readonly string[]> {
    const sent = Array<object>(LARGE_ITEMS).fill({ title: 'A', priceCents: 1 });
    const ids = await listed('/products', sent);
    const products = ids.map((id) => ({ id, storeProductId: id, sku: id }));
    return listed('/products?match=id', products);
  }

  /** Sends a list of products, and returns their ids. */
  async function listed(path: string, products: readonly object[]): Promise<readonly string[]> {
    const body = JSON.stringify({ products });
    const { text } = await send({ method: 'POST', path }, server.apiKey, body);
    return list.parse(JSON.parse(text)).products.map(({ id }) => id);
  }

  async function cost(
    { name, path, match }: (typeof cases)[number],
    mode: (typeof modes)[number],
    make: LargePush['body'],
  ): Promise<number> {
    runs++;
    const { status, text, cpu } = await measured(
      {
        method: 'POST',
        path: `${path}?match=${match}${mode === 'dry' ? '&dryRun=true' : ''}`,
      },
      server.apiKey,
      make(existing.get(name) ?? [], runs),
      {
        ...(mode === 'lenient' && { Prefer: 'handling=lenient' }),
        ...(mode === 'keyed' && { 'Idempotency-Key': `large-${runs}` }),
      },
    );
    expect(status, text.slice(0, 200)).toBe(200);
    return cpu;
  }
});

interface Measured {
  readonly status: number;
  readonly text: string;
  /** The CPU time in milliseconds. */
  readonly cpu: number;
}

async function measured(...request: Parameters<typeof send>): Promise<Measured> {
  const before = await cpuOf(worker);
  const answer = await send(...request);
  return { ...answer, cpu: (await cpuOf(worker)) - before };
}

/** The target of a body. */
interface Case {
  readonly operation: Operation;
  readonly key: 'live' | 'unknown';
  readonly shape: 'one' | 'list';
}

function nameOf({ operation, key, shape }: Case): string {
  return `${operation.method} ${operation.path}, ${shape}, ${key} key`;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

async function send(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  apiKey: string,
  body: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string }> {
  const url = `http://127.0.0.1:${server.port}/api/brand/v1${ids[path] ?? path}`;
  // `wrangler dev` compresses in the same process. On Cloudflare, this is not the Worker's time.
  const encoding = { 'Accept-Encoding': 'identity' };
  const headers = { Authorization: `Bearer ${apiKey}`, ...encoding, ...more };
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, text: await response.text() };
}

async function create(path: string, body: object): Promise<string> {
  const { text } = await send({ method: 'POST', path }, server.apiKey, JSON.stringify(body));
  const [made] = Object.values(resource.parse(JSON.parse(text)));
  return `${path}/${made?.id ?? ''}`;
}
