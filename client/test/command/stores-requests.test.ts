import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Failure } from '../../../common/failure.ts';
import { A_GIGABYTE, HeldMemory, measuredJson } from '../../src/stores/memory.ts';
import type {
  RequestContext,
  StoreAnswer,
  StoreRequestOptions,
} from '../../src/stores/store-requests.ts';
import { StoreRequests } from '../../src/stores/store-requests.ts';
import { Secrets } from '../../src/stores/secrets.ts';
import { AdminApi } from '../../src/stores/shopify/api.ts';
import { readBulkFile } from '../../src/stores/shopify/bulk-operation.ts';
import { settingsIn } from '../../src/stores/shopify/settings.ts';
import { passed } from './passing-time.ts';

// Limits of time are minutes and hours, so the clock is the test's.

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A run whose answers are made by a function, which gets their numbers from 1. */
function run(answer: (number: number) => Response | Promise<Response>): {
  readonly context: RequestContext;
  readonly pauses: number[];
  readonly sent: () => number;
} {
  let number = 0;
  const pauses: number[] = [];
  const { signal } = new AbortController();
  return {
    pauses,
    sent: () => number,
    context: {
      secrets: new Secrets(),
      fetch: async () => answer(++number),
      signal,
      onPause: (pause) => pauses.push(pause),
    },
  };
}

function send(
  { context }: ReturnType<typeof run>,
  special: Partial<StoreRequestOptions> = {},
): Promise<StoreAnswer> {
  const requests = new StoreRequests({
    ...context,
    ...special,
    name: 'The store',
    onRedirect: () => '',
    onDenied: () => '',
  });
  return requests.send({ method: 'GET', url: new URL('https://shop.example/') });
}

it.each([429, 503])(
  'A request to a store is repeated for two minutes if the store is busy, with growing pauses: %i',
  async (status) => {
    const busy = run(() => new Response('', { status }));
    const { result, time } = await passed(send(busy));
    expect(result).toMatchObject({ status });
    expect(time).toBeGreaterThanOrEqual(2 * MINUTE);
    expect(time).toBeLessThan(2 * MINUTE + 2000);
    expect(busy.pauses.reduce((sum, one) => sum + one, 0)).toBeCloseTo(2 * MINUTE);
    expect(busy.sent()).toBeLessThan(15);
    expect(busy.pauses[4]).toBeGreaterThan(busy.pauses[1] ?? Infinity);
  },
);

it('A request to a store outlasts a limit by the minute', async () => {
  const end = Date.now() + MINUTE;
  const limited = run(() => new Response('{}', { status: Date.now() < end ? 429 : 200 }));
  expect((await passed(send(limited))).result).toMatchObject({ status: 200, json: {} });
});

it.each(['119', '20'])(
  'A request to a store waits as long as Retry-After says: %s seconds',
  async (after) => {
    const busy = run((number) =>
      number === 1
        ? new Response('', { status: 503, headers: { 'Retry-After': after } })
        : new Response('{}'),
    );
    expect((await passed(send(busy))).result).toMatchObject({ status: 200 });
    expect(busy.pauses).toEqual([Number(after) * 1000]);
  },
);

it('A request to a store waits as long as the store says in another way', async () => {
  const busy = run((number) =>
    number === 1
      ? new Response('', { status: 429, headers: { 'X-Rate-Limit-Time-Reset-Ms': '15000' } })
      : new Response('{}'),
  );
  const pauseOf = ({ headers }: StoreAnswer): number =>
    Number(headers.get('X-Rate-Limit-Time-Reset-Ms'));
  expect((await passed(send(busy, { pauseOf }))).result).toMatchObject({ status: 200 });
  expect(busy.pauses).toEqual([15_000]);
});

it('A request to a store is not repeated if Retry-After is longer than two minutes', async () => {
  const busy = run(() => new Response('', { status: 429, headers: { 'Retry-After': '121' } }));
  expect(await passed(send(busy))).toMatchObject({ result: { status: 429 } });
  expect(busy.sent()).toBe(1);
});

it.each<readonly [string, () => Response]>([
  ...[500, 502, 504, 520, 524].map(
    (status) => [`${status}`, () => new Response('', { status })] as const,
  ),
  [
    'nothing',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
])(
  'A request to a store is sent four times if its answer is a fault that passes: %s',
  async (_, answer) => {
    const lost = run(answer);
    await passed(send(lost));
    expect(lost.sent()).toBe(4);
  },
);

/** A body of 40 MB. */
function large(text: string): Blob {
  return new Blob(Array.from({ length: 40 }, () => text.repeat(2 ** 20)));
}

/** Bodies that cannot be read as an answer. */
const UNREADABLE: readonly [string, () => BodyInit][] = [
  ['without an end', () => large(' ')],
  ['of too many values', () => `[${'{},'.repeat(2_500_000)}{}]`],
  ['that is nested too deep', () => '['.repeat(1000)],
];

it.each(UNREADABLE)('The status of a refusal counts, and not its body: %s', async (_, body) => {
  const refused = run(() => new Response(body(), { status: 402 }));
  expect((await passed(send(refused))).result).toMatchObject({ status: 402, json: undefined });
  expect(refused.sent()).toBe(1);
  const answer = run(() => new Response(body()));
  expect(String((await passed(send(answer))).result)).toMatch(/too large/);
});

const settings = settingsIn({
  SHOPIFY_SHOP: 'name.myshopify.com',
  SHOPIFY_ACCESS_TOKEN: 'shpat_lasting',
});

function failing(code: string): Response {
  return Response.json({ errors: [{ message: 'No', extensions: { code } }] });
}

it.each<[string, () => Response]>([
  ['throttled', () => failing('THROTTLED')],
  ['answered with an error that passes', () => failing('INTERNAL_SERVER_ERROR')],
  ['answered with 502', () => new Response('', { status: 502 })],
  ['limited', () => new Response('', { status: 429 })],
  ['rejected', () => new Response('', { status: 430 })],
])(
  'A query of Shopify that always fails is given up within two minutes, after a dozen tries: %s',
  async (_, answer) => {
    const shop = run(answer);
    const api = new AdminApi(settings, shop.context);
    const { result, time } = await passed(api.query('query { shop { name } }'));
    expect(result).toBeInstanceOf(Error);
    expect(time).toBeLessThan(2 * MINUTE + 2000);
    expect(shop.sent()).toBeLessThan(15);
  },
);

const url = new URL('https://files.example/bulk/operation.jsonl?Signature=0123456789abcdef');
const shop = new URL('https://name.myshopify.com/');

/** A file of which a text comes again and again, with this pause. */
function dripping(text: string, pause: number): Response {
  const bytes = new TextEncoder().encode(text);
  let timer: ReturnType<typeof setInterval> | undefined;
  return new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        timer = setInterval(() => {
          controller.enqueue(bytes);
        }, pause);
      },
      cancel() {
        clearInterval(timer);
      },
    }),
  );
}

it.each<[string, string, number, RegExp, number]>([
  ['has empty lines alone', '\n', 500, /does not go on/, 10],
  ['goes on for ever', '{"id":1}\n', 60_000, /for too long/, 62],
  ['goes on within a line for ever', '{', 1000, /does not go on/, 10],
])(
  'The file of a bulk operation that does not come to its end is given up: it %s',
  async (_, text, pause, sentence, minutes) => {
    const host = run(() => dripping(text, pause));
    const reading = readBulkFile({ url, count: 9 }, shop, host.context, () => () => undefined);
    const { result, time } = await passed(reading);
    expect(String(result)).toMatch(sentence);
    expect(String(result)).not.toMatch(/operation\.jsonl|0123456789/);
    expect(time).toBeLessThan(minutes * MINUTE);
  },
);

it('The file of a bulk operation is taken from this machine only if the shop is on it', async () => {
  const file = new URL('https://127.0.0.1:9300/file.jsonl');
  const host = run(() => new Response(''));
  const reading = (of: string): Promise<void> =>
    readBulkFile({ url: file, count: 0 }, new URL(of), host.context, () => () => undefined);
  await expect(reading('https://name.myshopify.com/')).rejects.toThrow(/of this machine/);
  expect(host.sent()).toBe(0);
  await reading('http://127.0.0.1:9301/');
  expect(host.sent()).toBe(1);
});

it.each(UNREADABLE)(
  'The file of a bulk operation that is refused has the status of that, whatever its body: %s',
  async (_, body) => {
    const host = run(() => new Response(body(), { status: 403 }));
    const reading = readBulkFile({ url, count: 9 }, shop, host.context, () => () => undefined);
    expect(String((await passed(reading)).result)).toMatch(/not give the result .*\(status 403\)/);
  },
);

const sender = { failure: (predicate: string) => new Failure(predicate) };

function held(most?: number): HeldMemory {
  return new HeldMemory(sender, most);
}

function bytesOf(value: unknown): number {
  return measuredJson(JSON.stringify(value), sender).bytes;
}

const image = { id: 'gid://shopify/MediaImage/1000000000000', image: { url: 'x'.repeat(90) } };
const parent = { __parentId: 'gid://shopify/Product/1000000000000' };

it.each<[string, number, readonly object[]]>([
  [
    '100,000 products of two kilobytes',
    100_000,
    [
      {
        id: 1,
        name: 'x'.repeat(40),
        description: 'x'.repeat(2000),
        images: Array.from({ length: 3 }, () => ({ src: 'x'.repeat(80) })),
        attributes: [{ id: 1, name: 'Brand', variation: false }],
      },
    ],
  ],
  [
    '22,128 products with four variants and five images',
    22_128,
    [
      { id: parent.__parentId, title: 'x'.repeat(40), descriptionHtml: 'x'.repeat(1000) },
      ...Array.from({ length: 5 }, () => ({ ...image, ...parent })),
      ...Array.from({ length: 4 }, () => ({
        id: 'gid://shopify/ProductVariant/1000000000000',
        sku: 'x'.repeat(20),
        selectedOptions: [{ value: 'Red' }, { value: 'M' }],
        inventoryItem: { tracked: true },
        ...parent,
      })),
    ],
  ],
])('The memory for a store is enough for large catalogues: %s', (_, count, entries) => {
  const all = held();
  const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
  for (let number = 0; number < count; number++) all.hold({ bytes });
});

it('The memory for a store is at most a gigabyte, or what Node was given, and the error says how to give more', () => {
  const page = { bytes: 10 * 2 ** 20 };
  const filled = (all: HeldMemory): number => {
    for (let number = 0; ; number++) {
      try {
        all.hold(page);
      } catch (error) {
        expect(String(error)).toMatch(/more than the \d GB .*NODE_OPTIONS=--max-old-space-size/);
        return number * page.bytes;
      }
    }
  };
  expect(filled(held()) / A_GIGABYTE).toBeCloseTo(1, 1);
  expect(filled(held(4 * A_GIGABYTE)) / A_GIGABYTE).toBeCloseTo(4, 1);
  // A part is counted with the whole.
  const all = held();
  all.part().hold({ bytes: A_GIGABYTE / 2 });
  expect(filled(all.part()) / A_GIGABYTE).toBeCloseTo(0.5, 1);
});

it('The memory for a store is room again once it is freed', () => {
  const all = held();
  for (let number = 0; number < 10; number++) {
    const part = all.part();
    part.hold({ bytes: A_GIGABYTE / 2 });
    part.free();
  }
  all.hold({ bytes: A_GIGABYTE });
});

it('The memory for a store counts values and wide letters beside the text, because they take more', () => {
  expect(bytesOf('x'.repeat(1000))).toBeCloseTo(1000, -1);
  expect(bytesOf('漢'.repeat(1000))).toBeCloseTo(2000, -1);
  expect(bytesOf(Array.from({ length: 1000 }, () => ({})))).toBeGreaterThan(60_000);
});
