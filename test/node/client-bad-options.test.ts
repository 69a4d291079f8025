import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import type { MirrorOptions } from '../../client/src/mirror/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { FakeStore } from './fake-store.ts';
import { FaultyNetwork } from './faulty-network.ts';

const ID = '01890000-0000-7000-8000-000000000000';

/** The rules, as the errors say them. */
const FUNCTION = 'a function';
const BOOLEAN = 'a boolean';
const NUMBER = 'a number of 1 or more';
const SIGNAL = 'an AbortSignal';
const TEXT = 'a non-empty string';

const NO_FUNCTIONS: readonly unknown[] = [null, 'f', {}];
const NO_BOOLEANS: readonly unknown[] = [null, 0, 1, 'true', 'false', NaN];
const NO_NUMBERS: readonly unknown[] = [NaN, 0, -1, 0.5, -Infinity, '3', null, {}];
const NO_SIGNALS: readonly unknown[] = [null, true, 5, {}, new AbortController()];
const NO_TEXTS: readonly unknown[] = [null, '', 0, {}];

/** The options of every call, and what they must be. */
const OF_CALLS = [
  ['timeout', NUMBER, NO_NUMBERS],
  ['signal', SIGNAL, NO_SIGNALS],
] as const;

/** Returns an error's kind and message. */
async function problem(call: () => unknown): Promise<readonly unknown[]> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return [error.name, error.message];
  }
  return [];
}

/** What the client says to a bad value. */
function refusal(name: string, rule: string, value: unknown): readonly unknown[] {
  return [
    typeof value === 'number' ? 'RangeError' : 'TypeError',
    `Expected ${name} to be ${rule}.`,
  ];
}

function connect(bad: object = {}): { client: BrandClient; network: FaultyNetwork } {
  // Endless tries would end with the first good answer.
  const network = new FaultyNetwork(
    ...Array.from({ length: 9 }, () => Response.json({ brand: {}, product: {} })),
  );
  const options = { apiKey: 'k', baseUrl: 'https://api.example.com', fetch: network.fetch };
  return { client: new BrandClient(Object.assign(options, bad)), network };
}

describe('The client refuses, when it is made,', () => {
  it.each([['tries', NUMBER, NO_NUMBERS], ['fetch', FUNCTION, NO_FUNCTIONS], ...OF_CALLS] as const)(
    'a bad %s',
    async (name, rule, values) => {
      for (const value of values) {
        expect(await problem(() => connect({ [name]: value })), inspect(value)).toEqual(
          refusal(name, rule, value),
        );
      }
    },
  );

  it('a bad apiKey, which the error does not show', async () => {
    for (const apiKey of [undefined, null, 5, {}, '', ' \n', 'secret secret', 'secrét', 'a\0']) {
      expect(await problem(() => connect({ apiKey })), inspect(apiKey)).toEqual([
        'TypeError',
        'Expected apiKey to be visible ASCII characters.',
      ]);
    }
  });

  it('a bad baseUrl', async () => {
    const bad = ['', 'api.example.com', 'ftp://a.example', 'https://u:p@a.example'];
    for (const baseUrl of [undefined, null, 5, {}, ...bad, 'https://a.example/?q', 'https://a#b']) {
      expect(await problem(() => connect({ baseUrl })), inspect(baseUrl)).toEqual([
        'TypeError',
        'Expected baseUrl to be an address such as https://api.example.com, without user, query or fragment.',
      ]);
    }
  });
});

const INPUT = { title: 'T', priceCents: 1 };
const PROFILE = { brand: { brandName: 'B' }, connection: {} };

type Call = (client: BrandClient, bad: object) => Promise<unknown>;
type Row = readonly [name: string, rule: string, values: readonly unknown[]];

const NO_MATCHES: Row = ['match', TEXT, [...NO_TEXTS, undefined]];
const NO_DRY_RUNS: Row = ['dryRun', BOOLEAN, NO_BOOLEANS];
const NO_NEWERS: Row = ['ifNewer', BOOLEAN, NO_BOOLEANS];
const NO_TAGS: Row = ['ifMatch', TEXT, NO_TEXTS];
const NO_KEYS: Row = ['idempotencyKey', TEXT, NO_TEXTS];
const KEY_OF_A_PUSH = '1 to 245 characters';
const match = 'sku';

/** All calls, each with the options that only it has. */
const CALLS: readonly (readonly [string, Call, readonly Row[]])[] = [
  ['get', ({ products }, bad) => products.get(ID, bad), []],
  ['list', ({ products }, bad) => products.list({}, bad).next(), []],
  [
    'changes',
    ({ couponCodes }, bad) => couponCodes.changes(bad).next(),
    [
      ['limit', NUMBER, NO_NUMBERS],
      ['since', TEXT, NO_TEXTS],
    ],
  ],
  ['create', ({ products }, bad) => products.create(INPUT, bad), [NO_KEYS]],
  ['createMany', ({ products }, bad) => products.createMany([INPUT], bad), [NO_KEYS]],
  [
    'push',
    ({ products }, bad) => products.push([{ sku: 'S' }], { match, ...bad }),
    [
      NO_MATCHES,
      NO_DRY_RUNS,
      NO_NEWERS,
      ['lenient', BOOLEAN, NO_BOOLEANS],
      ['minimal', BOOLEAN, NO_BOOLEANS],
      ['onProgress', FUNCTION, NO_FUNCTIONS],
      ['idempotencyKey', KEY_OF_A_PUSH, ['', 'k'.repeat(246), {}]],
    ],
  ],
  [
    'push of nothing',
    ({ products }, bad) => products.push([], { match, ...bad }),
    [NO_MATCHES, NO_DRY_RUNS, NO_NEWERS],
  ],
  ['replace', ({ products }, bad) => products.replace(ID, INPUT, bad), [NO_TAGS]],
  ['update', ({ products }, bad) => products.update(ID, {}, bad), [NO_TAGS]],
  ['delete', ({ couponCodes }, bad) => couponCodes.delete(ID, bad), [NO_TAGS]],
  ['getProfile', (client, bad) => client.getProfile(bad), []],
  ['replaceProfile', (client, bad) => client.replaceProfile(PROFILE, bad), [NO_TAGS]],
  ['updateProfile', (client, bad) => client.updateProfile({}, bad), [NO_TAGS]],
];

describe.each(CALLS)('%s refuses, before it sends anything,', (_, call, own) => {
  it.each([...own, ...OF_CALLS])('a bad %s', async (name, rule, values) => {
    for (const value of values) {
      const { client, network } = connect();
      const refused = await problem(() => call(client, { [name]: value }));
      expect(refused, inspect(value)).toEqual(refusal(name, rule, value));
      expect(network.sent).toEqual([]);
    }
  });
});

it('A filter that a query cannot have is refused: left out, it would not filter', async () => {
  for (const sku of [null, {}, [], new Date(0), () => '']) {
    const { client, network } = connect();
    const bad: object = { sku };
    expect(await problem(() => client.products.list({ ...bad }).next())).toEqual([
      'TypeError',
      'Expected sku to be a string, number or boolean.',
    ]);
    expect(network.sent).toEqual([]);
  }
});

describe('The mirror refuses, before it reads anything,', () => {
  const FIELDS = 'a list of different fields of products, without sku';
  const STATE = 'the text that persist was given, or undefined for the first run';
  it.each([
    ['products', 'the products of a BrandClient', [undefined, null, {}, connect().client]],
    ['store', 'an object with the functions changes, save and remove', [undefined, null, {}, []]],
    [
      'fields',
      FIELDS,
      [undefined, null, 'title', {}, [], [''], [5], ['sku'], ['id'], ['title', 'title']],
    ],
    [
      'key',
      'one of sku, storeProductId, storeVariantId, handle',
      [null, '', 5, {}, 'id', 'title', 'code'],
    ],
    ['state', STATE, [null, 5, {}, '', '{', '{}', 'null', '[]', '{"fields":["title"]}']],
    ['persist', FUNCTION, [undefined, ...NO_FUNCTIONS]],
    ['report', FUNCTION, [undefined, ...NO_FUNCTIONS]],
    ['winner', "'store' or 'service'", [null, '', 'Store', 'both', true, 0]],
  ] as const)('bad %s', async (name, rule, values) => {
    for (const value of values) {
      const { client, network } = connect();
      const store = new FakeStore();
      store.onRead = () => expect.fail('It was read.');
      const options: MirrorOptions<'title'> = {
        products: client.products,
        store,
        fields: ['title'],
        state: undefined,
        persist: () => expect.fail('It was stored.'),
        report: (text) => expect.fail(text),
      };
      const running = (): unknown => mirror(Object.assign(options, { [name]: value }));
      expect(await problem(running), inspect(value)).toEqual([
        'TypeError',
        `Expected ${name} to be ${rule}.`,
      ]);
      expect(network.sent).toEqual([]);
    }
  });
});

it('The mirror refuses products beside coupon codes, and keys of the other', async () => {
  const { products, couponCodes } = connect().client;
  const kept = { store: new FakeStore(), fields: ['active'], state: undefined };
  const options = { ...kept, persist: () => expect.fail(), report: () => expect.fail() };
  for (const [others, text] of [
    [{ products, couponCodes }, 'Expected products to be left out beside couponCodes.'],
    [{ couponCodes, key: 'sku' }, 'Expected key to be one of code, storeDiscountId.'],
    [{ couponCodes: {} }, 'Expected couponCodes to be the coupon codes of a BrandClient.'],
  ] as const) {
    const running = (): unknown => Reflect.apply(mirror, undefined, [{ ...options, ...others }]);
    expect(await problem(running)).toEqual(['TypeError', text]);
  }
});

describe('The mirror refuses', () => {
  const ITEM = { sku: 'A', title: 'Rope' };
  const GOOD = { changed: [ITEM], deleted: ['B'], since: '1' };
  const BAD: readonly unknown[] = [
    ...[undefined, null, [ITEM]],
    ...[undefined, null, new Map([['A', ITEM]]), [null], [{ ...ITEM, sku: null }]].map(
      (changed) => ({ ...GOOD, changed }),
    ),
    ...[undefined, null, 'B', [null]].map((deleted) => ({ ...GOOD, deleted })),
    ...[undefined, null, '', 5, NaN].map((since) => ({ ...GOOD, since })),
  ];
  const REFUSAL = [
    'TypeError',
    'Expected the result of store.changes to be { changed, deleted, since }, with a non-empty string as since and strings as sku.',
  ];

  it.each([0, 1])(
    'what the store answers after %d good answers, and writes nothing',
    async (good) => {
      for (const bad of BAD) {
        const answers: unknown[] = [...Array<unknown>(good).fill(GOOD), bad];
        const { client } = connect();
        const store = new FakeStore();
        let stored = 0;
        const running = (): unknown =>
          mirror({
            products: Object.assign(client.products, {
              changes: () => [{ changed: [], deleted: [], since: '1' }],
              push: () => expect.fail('It was pushed.'),
            }),
            store: Object.assign(store, { changes: () => Promise.resolve(answers.shift()) }),
            fields: ['title', 'priceCents'],
            state: undefined,
            persist: () => {
              stored++;
              return Promise.resolve();
            },
            report: (text) => expect.fail(text),
          });
        expect(await problem(running), inspect(bad)).toEqual(REFUSAL);
        expect([store.writes, stored]).toEqual([0, good]);
      }
    },
  );
});
