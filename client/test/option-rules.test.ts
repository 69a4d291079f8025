import { expect, it } from 'vitest';
import { CALLS, CHANGES, ITEM } from './client-calls.ts';
import type { Connected } from './connected.ts';
import { connectNowhere } from './connected.ts';
import { expectRefusal } from './refused-option.ts';

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

function connect(bad: object = {}): Connected {
  return connectNowhere({ ...bad });
}

it('A client with a bad option is refused', async () => {
  await expectRefusals(['tries', 'fetch', 'timeout', 'signal'], connect);
});

const ADDRESS = 'an address such as https://api.example.com, without user, query or fragment';
it.each([
  // The error does not show it.
  ['apiKey', 'visible ASCII characters', ['secret secret', 'secrét', 'a\0', 'k\nx: 1']],
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
])('A client with a bad value is refused: %s', async (name, rule, texts) => {
  for (const value of [undefined, null, {}, ...texts]) {
    await expectRefusal(() => connect({ [name]: value }), name, rule, value);
  }
});

it.each(Object.entries(CALLS))(
  'A call refuses bad options before it sends anything: %s',
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
  'An id that would address something else is refused: %j',
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
