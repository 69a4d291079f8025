import { expect, it } from 'vitest';
import { BrandClient, SyncError } from '../src/index.ts';
import { connectNowhere } from './connected.ts';
import type { Delivery } from './faulty-network.ts';
import { NOTHING } from './outcomes.ts';
import { item, items } from './items.ts';
import { refusal, shop } from './synced-products.ts';

const before = [...items(6), item('GONE-1'), item('GONE-2')];
const wanted = [...items(5).slice(1), item('S-5', 9), item('S-0', 2), item('NEW')];
const expected = { 'S-0': 2, 'S-1': 1, 'S-2': 1, 'S-3': 1, 'S-4': 1, 'S-5': 9, NEW: 1 };

// What else leaves open whether a request took effect is proved in retries.test.ts.
it.each<[string, () => Delivery]>([
  ['an answer is lost', () => 'answer lost'],
  ['a gateway answers 404', () => new Response('No backend.', { status: 404 })],
])('A sync that is disturbed at any request ends the same when run again: %s', async (_, fault) => {
  for (let at = 0, isDone = false; !isDone; at++) {
    const { sync, catalogue, network } = await shop(before);
    network.next(...Array.from({ length: at }, (): Delivery => 'served'), fault());
    await sync(wanted, { deleteMissing: true, tries: 1 }).catch((error: unknown) => error);
    isDone = network.sent.length <= at;
    network.forget();
    expect(await sync(wanted, { deleteMissing: true })).toMatchObject({ refused: [], kept: [] });
    expect(await catalogue()).toEqual(expected);
  }
});

it('A sync reports what was done before a request failed', async () => {
  const { sync, network } = await shop(before);
  network.next('served', 'served', 'served', 'served', 'served', refusal(403));
  const error = await sync(wanted, { deleteMissing: true, tries: 1 }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SyncError);
  expect(error).toMatchObject({
    message: 'No.',
    report: { ...NOTHING, created: 1, updated: 2, unchanged: 4, deleted: 1 },
  });
});

it('A sync is aborted between two requests', async () => {
  const { sync, network, catalogue } = await shop(before);
  const controller = new AbortController();
  network.after = ({ method }) => {
    if (method === 'POST') controller.abort(new Error('Enough.'));
    return Promise.resolve();
  };
  await expect(
    sync(wanted, { deleteMissing: true, signal: controller.signal }),
  ).rejects.toMatchObject({ name: 'SyncError', message: 'Enough.' });
  expect(Object.keys(await catalogue())).toContain('GONE-1');
});

it.each(['the client', 'the call'])(
  'A sync is aborted within the list of the service by a signal, whatever that sends: of %s',
  async (whose) => {
    const controller = new AbortController();
    const { signal } = controller;
    const pieces = [new TextEncoder().encode('{"products":[')];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(list) {
          const piece = pieces.shift();
          if (piece !== undefined) {
            list.enqueue(piece);
            return undefined;
          }
          controller.abort(new Error('Enough.'));
          return new Promise(() => undefined);
        },
      },
      { highWaterMark: 0 },
    );
    const { client } = connectNowhere(whose === 'the client' ? { signal } : {}, new Response(body));
    const options = { match: 'sku', tries: 1 } as const;
    const syncing = client.products.sync(
      [],
      whose === 'the call' ? { ...options, signal } : options,
    );
    await expect(syncing).rejects.toThrow('Enough.');
  },
  // Less than the limit for one response.
  10_000,
);

it.each(['item of the source', 'confirmation'])(
  'A sync is aborted while it waits for its source: for the next %s',
  async (awaited) => {
    const { sync } = await shop(items(4));
    const controller = new AbortController();
    const never = (): Promise<never> => {
      controller.abort(new Error('Enough.'));
      return new Promise(() => undefined);
    };
    const endless = { [Symbol.asyncIterator]: () => ({ next: never }) };
    const syncing = sync(awaited === 'confirmation' ? items(3) : endless, {
      signal: controller.signal,
      deleteMissing: { confirm: never },
    });
    await expect(syncing).rejects.toThrow('Enough.');
  },
  10_000,
);

it.each<[string, object]>([
  ['match to be', { match: '' }],
  ['the options to be known: there is no dryrun', { match: 'sku', dryrun: true }],
  ['max to be in deleteMissing', { match: 'sku', max: 1 }],
  ['confirm to be in deleteMissing', { match: 'sku', confirm: () => [] }],
  ['owned to be beside deleteMissing', { deleteMissing: { owned: () => true } }],
  ['owned to be', { match: 'sku', owned: 'all' }],
  ['colour, which keep names, to be one of title,', { keep: ['title', 'colour'] }],
  ['sku, which keep names, to be one of', { keep: ['sku'] }],
  ['keep to be a list', { keep: 'title' }],
  ['keepSpelling to be', { match: 'sku', keepSpelling: 'yes' }],
  ['deleteMissing to be', { match: 'sku', deleteMissing: 5 }],
  [
    'deleteMissing to be known: there is no maximum',
    { match: 'sku', deleteMissing: { maximum: 0 } },
  ],
  ['deleteMissing.max to be', { match: 'sku', deleteMissing: { max: '10' } }],
  ['deleteMissing.max to be', { match: 'sku', deleteMissing: { max: NaN } }],
  ['deleteMissing.readAt to be', { match: 'sku', deleteMissing: { readAt: new Date(NaN) } }],
  [
    'deleteMissing.readAt to be no later than the local time',
    { deleteMissing: { readAt: new Date(Date.now() + 86_400_000) } },
  ],
  ['deleteMissing.confirm to be', { deleteMissing: { confirm: 'ask' } }],
  ['deleteMissing.doubts to be', { deleteMissing: { doubts: 'It may be cut off.' } }],
])('A sync sends nothing if its options are wrong: it expected %s', async (problem, options) => {
  const { sync, network } = await shop();
  await expect(sync([], options)).rejects.toThrow(`Expected ${problem}`);
  expect(network.sent).toEqual([]);
});

it.each<[string, unknown]>([
  ['items to be an iterable', null],
  ['items to be an iterable', { products: [] }],
  [
    'item 1 to be JSON: TypeError: Do not know how to serialize a BigInt',
    [item('A'), { sku: 'B', priceCents: 1n }],
  ],
])(
  'A sync sends nothing if its items are none, and says what it expected: %s',
  async (problem, list) => {
    const { sync, network } = await shop();
    await expect(sync(list)).rejects.toThrow(`Expected ${problem}`);
    expect(network.sent).toEqual([]);
  },
);

it('A sync sends its requests no more often than it is told', async () => {
  let sent = 0;
  const offline = (): Promise<Response> => {
    sent++;
    return Promise.reject(new TypeError('fetch failed'));
  };
  const client = new BrandClient({ apiKey: 'key', baseUrl: 'http://localhost', fetch: offline });
  await expect(client.products.sync([], { match: 'sku', tries: 1 })).rejects.toThrow('not answer');
  expect(sent).toBe(1);
});

it('A sync reads a list that breaks off again, each time as one of its tries', async () => {
  const { sync, network } = await shop(before);
  network.next(refusal(503), 'body lost');
  expect(await sync(before, { tries: 3 })).toMatchObject({ unchanged: before.length });
  network.next(refusal(503), 'body lost', refusal(503));
  await expect(sync(before, { tries: 3 })).rejects.toThrow('No.');
  expect(network.sent).toHaveLength(6);
});

it('A sync reports its progress if nothing differs too', async () => {
  const { sync } = await shop(items(2));
  const progress: object[] = [];
  await sync(items(2), { onProgress: (one) => progress.push(one) });
  expect(progress).toEqual([{ done: 2, total: 2 }]);
});

it('A sync ends if a promise of onProgress rejects', async () => {
  const { sync, catalogue } = await shop(items(2));
  const onProgress = (): Promise<never> => Promise.reject(new Error('The log is full.'));
  const error = await sync(items(3), { onProgress }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'SyncError', message: 'The log is full.' });
  expect(Object.keys(await catalogue())).toHaveLength(2);
});

it('A sync writes nothing if its source fails midway', async () => {
  const { sync, network } = await shop(before);
  const source = function* source(): Generator<object> {
    yield item('NEW');
    throw new Error('The export ended early.');
  };
  await expect(sync(source(), { deleteMissing: true })).rejects.toThrow('ended early');
  expect(network.sent).toEqual([]);
});

it('A sync writes nothing if the list of the service is cut or another one', async () => {
  const { sync, network } = await shop(before);
  for (const text of ['{"products":[', '{"couponCodes":[]}', '<html>{}</html>', '[]', '']) {
    network.respond = ({ searchParams }) =>
      searchParams.size === 0 ? new Response(text) : undefined;
    await expect(sync(wanted, { deleteMissing: true })).rejects.toThrow('no complete list');
  }
  expect(network.sent.every(({ method }) => method === 'GET')).toBe(true);
});

it('A sync lets another one of the same list run at once', async () => {
  const { sync, catalogue } = await shop(before);
  await Promise.all([sync(wanted, { deleteMissing: true }), sync(wanted, { deleteMissing: true })]);
  await sync(wanted, { deleteMissing: true });
  expect(Object.keys(await catalogue()).sort()).toEqual(Object.keys(expected).sort());
});

it('A sync refuses only the item that has too many values', async () => {
  const { sync, catalogue } = await shop();
  const bad = { ...item('BAD'), extra: Array.from({ length: 1100 }, () => ({})) };
  const report = await sync([item('A'), bad, item('B')]);
  expect(report).toMatchObject({ created: 2, refused: [{ index: 1, key: 'BAD' }] });
  expect(await catalogue()).toEqual({ A: 1, B: 1 });
});
