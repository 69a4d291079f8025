import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { MirrorOptions } from '../../client/src/mirror/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { CALLS, CHANGES, ITEM } from './client-calls.ts';
import type { Connected } from './connected.ts';
import { connectNowhere } from './connected.ts';
import { FakeStore } from './fake-store.ts';

/** What options must be, and values that are not. */
const RULES = {
  'a number of 1 or more': [NaN, 0, -1, 0.5, -Infinity, '3', null, {}],
  'a boolean': [null, 0, 1, 'true', NaN],
  'a non-empty string': [null, '', ' ', 0, {}],
  'a function': [null, 'f', {}],
  'an AbortSignal': [null, true, 5, {}, new AbortController()],
} as const;

/** The rule of each option. */
const OPTIONS: Readonly<Record<string, keyof typeof RULES>> = {
  timeout: 'a number of 1 or more',
  signal: 'an AbortSignal',
  fetch: 'a function',
  tries: 'a number of 1 or more',
  limit: 'a number of 1 or more',
  since: 'a non-empty string',
  match: 'a non-empty string',
  ifMatch: 'a non-empty string',
  idempotencyKey: 'a non-empty string',
  onProgress: 'a function',
  lenient: 'a boolean',
  dryRun: 'a boolean',
  ifNewer: 'a boolean',
  minimal: 'a boolean',
};

/** The options that only some calls have. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  changes: ['limit', 'since'],
  create: ['idempotencyKey'],
  createMany: ['idempotencyKey'],
  push: ['match', 'dryRun', 'ifNewer', 'lenient', 'minimal', 'onProgress'],
  ...Object.fromEntries(Object.keys(CHANGES).map((name) => [name, ['ifMatch']])),
};

/** Calls something with each bad value of some options, and expects refusals. */
async function expectRefusals(
  names: readonly string[],
  call: (bad: object) => unknown,
): Promise<void> {
  for (const name of names) {
    const rule = OPTIONS[name] ?? expect.fail();
    for (const bad of RULES[rule])
      await expectRefusal(() => call({ [name]: bad }), name, rule, bad);
  }
}

/** Returns an error's kind and message. */
async function problem(call: () => unknown): Promise<readonly unknown[]> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return [error.name, error.message];
  }
  return [];
}

/** Expects that a bad value is refused. */
async function expectRefusal(
  call: () => unknown,
  name: string,
  rule: string,
  value: unknown,
): Promise<void> {
  const kind = typeof value === 'number' ? 'RangeError' : 'TypeError';
  const text = `Expected ${name} to be ${rule}.`;
  expect(await problem(call), inspect(value)).toEqual([kind, text]);
}

function connect(bad: object = {}): Connected {
  return connectNowhere({ ...bad });
}

it('A client with a bad option is refused', async () => {
  await expectRefusals(['tries', 'fetch', 'timeout', 'signal'], connect);
});

const ADDRESS = 'an address such as https://api.example.com, without user, query or fragment';
it.each([
  // The error does not show it.
  ['apiKey', 'visible ASCII characters', ['', ' \n', 'secret secret', 'secrét', 'a\0', 'k\nx: 1']],
  [
    'baseUrl',
    ADDRESS,
    [
      '',
      'api.example.com',
      'ftp://a.example',
      'https://u:p@a.example',
      'https://a/?q',
      'https://a#b',
    ],
  ],
])('A client with a bad %s is refused', async (name, rule, texts) => {
  for (const value of [undefined, null, {}, ...texts]) {
    await expectRefusal(() => connect({ [name]: value }), name, rule, value);
  }
});

it.each(Object.entries(CALLS))(
  '%s refuses bad options before it sends anything',
  async (operation, call) => {
    const { client, network } = connect();
    await expectRefusals([...(OWN[operation] ?? []), 'timeout', 'signal'], (bad) =>
      call(client, bad),
    );
    expect(network.sent).toEqual([]);
  },
);

it('A push needs a field to match by, even of nothing, and keys to which something can be appended', async () => {
  const { client, network } = connect();
  const push = (bad: object): unknown => client.products.push([], { match: 'sku', ...bad });
  await expectRefusal(() => push({ match: undefined }), 'match', 'a non-empty string', undefined);
  for (const idempotencyKey of ['', 'k'.repeat(246), {}]) {
    const rule = '1 to 245 characters';
    await expectRefusal(() => push({ idempotencyKey }), 'idempotencyKey', rule, idempotencyKey);
  }
  expect(network.sent).toEqual([]);
});

it('A filter that a query cannot have is refused: left out, it would not filter', async () => {
  for (const sku of [null, {}, [], ['A', null], new Date(0), () => '']) {
    const { client, network } = connect();
    const bad: object = { sku };
    const reading = (): unknown => client.products.list({ ...bad }).next();
    await expectRefusal(reading, 'sku', 'a string, number or boolean, or several', sku);
    expect(network.sent).toEqual([]);
  }
});

it.each(['', ' ', '.', '..'])(
  'The id %j is refused: it would address something else',
  async (id) => {
    const { client, network } = connect();
    for (const call of [
      () => client.products.get(id),
      () => client.products.update(id, {}),
      () => client.couponCodes.delete(id),
    ]) {
      await expectRefusal(call, 'id', 'the id of a resource', id);
    }
    expect(network.sent).toEqual([]);
  },
);

it('A header that cannot be sent is refused, and not tried five times', async () => {
  const { client, network } = connect();
  const making = client.products.create(ITEM, { idempotencyKey: 'a\nb' });
  await expect(making).rejects.toBeInstanceOf(TypeError);
  expect(network.sent).toEqual([]);
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
    ['key', 'one of sku, storeProductId, storeVariantId, handle', [null, '', 5, {}, 'id', 'code']],
    ['state', STATE, [null, 5, {}, '', '{', '{}', 'null', '[]', '{"fields":["title"]}']],
    ['persist', 'a function', [undefined, ...RULES['a function']]],
    ['report', 'a function', [undefined, ...RULES['a function']]],
    ['winner', "'store' or 'service'", [null, '', 'Store', 'both', true, 0]],
  ] as const)('bad %s', async (name, rule, values) => {
    for (const value of values) {
      const { client, network } = connect();
      const store = new FakeStore();
      store.onRead = () => expect.fail('It was read.');
      const running = (): unknown => mirror({ ...jobOf(client.products), store, [name]: value });
      await expectRefusal(running, name, rule, undefined);
      expect(network.sent).toEqual([]);
    }
  });

  it('products beside coupon codes, and keys of the other', async () => {
    const { products, couponCodes } = connect().client;
    const { products: left, ...job } = jobOf(products);
    expect(left).toBe(products);
    for (const [others, text] of [
      [{ products, couponCodes }, 'Expected products to be left out beside couponCodes.'],
      [{ couponCodes, key: 'sku' }, 'Expected key to be one of code, storeDiscountId.'],
      [{ couponCodes: {} }, 'Expected couponCodes to be the coupon codes of a BrandClient.'],
    ] as const) {
      const options = { ...job, fields: ['active'], ...others };
      const running = (): unknown => Reflect.apply(mirror, undefined, [options]);
      expect(await problem(running)).toEqual(['TypeError', text]);
    }
  });
});

/** The options of a mirror that must store and report nothing. */
function jobOf(products: MirrorOptions<'title'>['products']): MirrorOptions<'title'> {
  return {
    products,
    store: new FakeStore(),
    fields: ['title'],
    state: undefined,
    persist: () => expect.fail('It was stored.'),
    report: (text) => expect.fail(text),
  };
}

describe('The mirror refuses', () => {
  const ROPE = { sku: 'A', title: 'Rope' };
  const GOOD = { changed: [ROPE], deleted: ['B'], since: '1' };
  const BAD: readonly unknown[] = [
    undefined,
    null,
    [ROPE],
    ...[undefined, null, new Map([['A', ROPE]]), [null], [{ ...ROPE, sku: null }]].map(
      (changed) => ({ ...GOOD, changed }),
    ),
    ...[undefined, null, 'B', [null]].map((deleted) => ({ ...GOOD, deleted })),
    ...[undefined, null, '', 5, NaN].map((since) => ({ ...GOOD, since })),
  ];

  it.each([0, 1])(
    'what the store answers after %d good answers, and writes nothing',
    async (good) => {
      for (const bad of BAD) {
        const answers: unknown[] = [...Array<unknown>(good).fill(GOOD), bad];
        const { products } = connect().client;
        Object.assign(products, {
          changes: () => [{ changed: [], deleted: [], since: '1' }],
          push: () => expect.fail('It was pushed.'),
        });
        const store = Object.assign(new FakeStore(), {
          changes: () => Promise.resolve(answers.shift()),
        });
        let stored = 0;
        const persist = (): Promise<void> => Promise.resolve().then(() => void (stored += 1));
        const running = (): unknown => mirror({ ...jobOf(products), store, persist });
        await expectRefusal(
          running,
          'the result of store.changes',
          '{ changed, deleted, since }, with a non-empty string as since and strings as sku',
          undefined,
        );
        expect([store.writes, stored]).toEqual([0, good]);
      }
    },
  );
});
