import { expect, it } from 'vitest';
import type { Product, SyncReport, WithheldBecause } from '../src/index.ts';
import { all, NOTHING } from './outcomes.ts';
import type { Options } from './synced-products.ts';
import { item, items } from './items.ts';
import { refusal, refusedFor, shop, textWith } from './synced-products.ts';

/** vitest declares it as `any`. */
const anything: unknown = expect.anything();

it.each<[string, number, number, Options['deleteMissing'], Partial<SyncReport>]>([
  ['are not asked for', 20, 10, undefined, {}],
  ['are 10 of 20', 20, 10, true, { deleted: 10 }],
  ['are 11 of 22', 22, 11, true, { withheld: 11, withheldBecause: 'limit' }],
  ['are 12 of 120', 120, 108, true, { deleted: 12 }],
  ['are 13 of 120', 120, 107, true, { withheld: 13, withheldBecause: 'limit' }],
  ['are 6 of 11', 11, 5, true, { withheld: 6, withheldBecause: 'limit' }],
  ['are more than the maximum', 20, 17, { max: 2 }, { withheld: 3, withheldBecause: 'limit' }],
  ['are as large as the share', 20, 5, { max: '75%' }, { deleted: 15 }],
  ['would be all', 20, 0, { max: '100%' }, { withheld: 20, withheldBecause: 'nothing-accepted' }],
])(
  'A sync deletes what is missing if it may, and never too much: deletions that %s',
  async (_, count, left, deleteMissing, expected) => {
    const { sync, catalogue } = await shop(items(count));
    const list = left === 0 ? [] : [...items(left), item('NEW')];
    const written = left === 0 ? {} : { unchanged: left, created: 1 };
    expect(await sync(list, { deleteMissing })).toEqual({ ...NOTHING, ...written, ...expected });
    expect(Object.keys(await catalogue())).toHaveLength(
      count + (left === 0 ? 0 : 1) - (expected.deleted ?? 0),
    );
  },
);

it('A deletion of a sync spares what is not owned, what has no key, and what is newer than the items', async () => {
  const { sync, client, catalogue } = await shop([
    item('A'),
    item('B'),
    { ...item('OTHER'), source: 'WOOCOMMERCE' },
    item('OLD'),
  ]);
  const keyless = await client.products.create({ title: 'No SKU', priceCents: 1 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const readAt = new Date();
  const { data } = await client.products.create(item('YOUNG'));
  const owned = ({ source }: Product): boolean => source === 'API';
  expect(await sync([item('A'), item('B')], { owned, deleteMissing: { readAt } })).toEqual({
    ...NOTHING,
    unchanged: 2,
    deleted: 1,
    unmatched: 1,
    kept: [{ id: data.id, key: 'YOUNG', reason: 'it was changed after the items were read' }],
  });
  expect(Object.keys(await catalogue())).toEqual(['A', 'B', 'OTHER', keyless.data.id, 'YOUNG']);
});

it.each<[string, readonly unknown[], string, string]>([
  ['a field is invalid', [{ sku: 'A', priceCents: -1 }], 'A', 'priceCents: '],
  ['the key has a control character', [{ ...item('B\u0099') }], 'B\u0099', 'sku: '],
  ['it is a deletion', [{ sku: 'A', deleted: true }], 'A', 'deleted: '],
  ['an earlier one has its key', [item('A'), item(' A')], ' A', 'sku: item 0 has the value'],
])(
  'A deletion of a sync spares the resource of an item that is refused: %s',
  async (_, bad, key, error) => {
    const { sync, catalogue } = await shop([item('A'), item('17'), item('B')]);
    const others = [item('A'), item('B'), item('17')].filter(
      ({ sku }) => !JSON.stringify(bad).includes(sku),
    );
    const report = await sync([...bad, ...others], { deleteMissing: true });
    const [path = '', message = ''] = error.split(': ');
    const [refused] = report.refused;
    expect(report.refused).toMatchObject([{ index: bad.length - 1, key, error: textWith(error) }]);
    expect(refused?.problems).toContainEqual({ path, message: textWith(message) });
    expect(report).toMatchObject({ deleted: 0, withheld: 0 });
    expect(await catalogue()).toEqual({ A: 1, 17: 1, B: 1 });
  },
);

const inexact = 'which is too large to be exact';
it.each<[string, unknown, string | null, string]>([
  ['is missing', {}, null, 'sku: required'],
  ['is null', { sku: null }, null, 'sku: required'],
  ['is blank', { sku: ' ' }, null, 'sku: required'],
  ['is a number', { sku: 17 }, '17', 'sku: expected a string, not the number 17'],
  ['is a large number', { sku: 3791411052119578828 }, null, inexact],
  ['is an object', { sku: {} }, null, 'sku: expected a string'],
  ['is not readable', item('\u0001'), '\u0001', 'sku: '],
  ['is that of no object', null, null, 'expected an object'],
])(
  'The deletions of a sync are withheld if nobody knows the key of an item: it %s',
  async (_, bad, key, error) => {
    const { sync, catalogue } = await shop(items(4));
    const report = await sync([...items(3), bad], { deleteMissing: true });
    expect(report).toEqual({
      ...NOTHING,
      unchanged: 3,
      withheld: 1,
      withheldBecause: 'unclear',
      refused: [{ index: 3, key, error: textWith(error), problems: anything }],
    });
    expect(Object.keys(await catalogue())).toHaveLength(4);
    expect(await sync([...items(4), bad], { deleteMissing: true })).toMatchObject({ withheld: 0 });
  },
);

it('A deletion of a sync spares what has an item with its key alone, which is never refused', async () => {
  const { sync, client, network, catalogue } = await shop(items(4));
  await client.products.createMany([item('T'), item('T')]);
  const list = ['S-0', 'S-1', 'T', 'NOBODY', 'S-1'].map((sku) => ({ sku }));
  const before = network.sent.length;
  const report = await sync(list, { deleteMissing: true });
  expect(report).toEqual({ ...NOTHING, unchanged: 5, deleted: 2 });
  expect(network.sent.slice(before).map(({ method }) => method)).not.toContain('POST');
  expect(Object.keys(await catalogue())).toEqual(['S-0', 'S-1', 'T']);
});

it('The deletions of a sync are withheld if all items are keys that nobody has', async () => {
  const { sync } = await shop(items(3));
  const report = await sync([{ sku: 'code' }], { deleteMissing: { max: '100%' } });
  expect(report).toEqual({
    ...NOTHING,
    unchanged: 1,
    withheld: 3,
    withheldBecause: 'nothing-accepted',
  });
});

it('The deletions of a sync are those that the source confirms, asked in batches', async () => {
  const { sync, catalogue } = await shop(items(121));
  const asked: number[] = [];
  const confirm = (resources: readonly Product[]): string[] => {
    asked.push(resources.length);
    // The source still has the first of each batch.
    return [...resources.slice(1).map(({ id }) => id), 'another'];
  };
  const deleteMissing = { max: '100%', confirm } as const;
  const dry = await sync(items(1), { deleteMissing, dryRun: true });
  const report = await sync(items(1), { deleteMissing });
  expect(report).toMatchObject({ unchanged: 1, deleted: 118 });
  const reason = 'the source does not confirm that it is gone';
  expect(report.kept.map((one) => [one.key, one.reason])).toEqual(
    ['S-1', 'S-100'].map((sku) => [sku, reason]),
  );
  expect(dry).toMatchObject(report);
  expect(asked).toEqual([99, 21, 99, 21]);
  expect(Object.keys(await catalogue())).toEqual(['S-0', 'S-1', 'S-100']);
});

it('A deletion of a sync spares what is created while the items are read, whatever a fast clock says', async () => {
  const { sync, client, network } = await shop(items(4));
  const { data } = await client.products.create(item('NEW'));
  network.alter = (response) => {
    const headers = new Headers(response.headers);
    headers.set('Date', new Date(Date.now() - 120_000).toUTCString());
    return new Response(response.body, { status: response.status, headers });
  };
  const report = await sync(items(4), { deleteMissing: true });
  expect(report).toMatchObject({ deleted: 0, kept: [{ id: data.id }] });
});

it('The deletions that a sync counts are only its own', async () => {
  const { sync, network, client } = await shop(items(5));
  const [last] = await all(client.products.list({ sku: 'S-4' }));
  const id = last?.id ?? '';
  let isGone = false;
  network.after = async ({ method, path }) => {
    if (isGone || method !== 'GET' || !path.endsWith(id)) return;
    isGone = true;
    await client.products.delete(id);
  };
  const report = await sync(items(3), { deleteMissing: { max: 2 } });
  expect(report).toEqual({ ...NOTHING, unchanged: 3, deleted: 1 });
});

it('The deletions that a sync counts are not those of what somebody else changed, and then deleted', async () => {
  const { sync, network, client } = await shop(items(4));
  const [last] = await all(client.products.list({ sku: 'S-3' }));
  const id = last?.id ?? '';
  const others = new Map<string, () => Promise<unknown>>([
    ['GET', () => client.products.update(id, { priceCents: 9 })],
    ['DELETE', () => client.products.delete(id)],
  ]);
  network.after = async ({ method, path }) => {
    const other = path.endsWith(id) ? others.get(method) : undefined;
    if (other === undefined) return;
    others.delete(method);
    await other();
  };
  // The precondition fails, and the next reading finds nothing.
  const report = await sync(items(3), { deleteMissing: true });
  expect(others.size).toBe(0);
  expect(report).toEqual({ ...NOTHING, unchanged: 3, deleted: 0 });
});

it('The deletions of a sync are not read more often than a request may be sent, and do not count what was never sent', async () => {
  const { sync, network, catalogue } = await shop(items(4));
  const refusals = Array.from({ length: 5 }, () => refusal(503));
  network.next('served', 'served', ...refusals);
  const options = { deleteMissing: true, tries: 2 };
  const error = await sync(items(3), options).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'SyncError', report: { ...NOTHING, unchanged: 3 } });
  expect(network.sent.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET']);
  expect(Object.keys(await catalogue())).toHaveLength(4);
});

it('A deletion of a sync that fails is followed by as long a wait as the service asks', async () => {
  const { sync, network } = await shop(items(4));
  network.next('served', 'served', 'served', refusal(503, { 'Retry-After': '1' }));
  expect(await sync(items(3), { deleteMissing: true })).toMatchObject({ deleted: 1 });
  const deletion = network.sent.findIndex(({ method }) => method === 'DELETE');
  const [first, second] = network.sent.slice(deletion).map(({ at }) => at);
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(990);
});

it('The deletions of a sync leave a part of the limit of the key to other programs', async () => {
  const { sync, network } = await shop(items(24));
  await sync(items(12), { deleteMissing: { max: 12 } });
  const begun = network.sent
    .filter(({ method, path }) => method === 'GET' && !path.endsWith('/products'))
    .map(({ at }) => at);
  expect(begun).toHaveLength(12);
  // Two requests for each, of 1,000 in ten seconds: at most 800.
  expect(Math.max(...begun) - Math.min(...begun)).toBeGreaterThanOrEqual(11 * 24);
});

it('No deletion of a sync begins once one has failed', async () => {
  const { sync, network, catalogue } = await shop(items(24));
  network.next('served', 'served', refusal(403));
  const error = await sync(items(12), { deleteMissing: { max: 12 } }).catch(
    (reason: unknown) => reason,
  );
  const begun = network.sent.filter(
    ({ method, path }) => method === 'GET' && !path.endsWith('/products'),
  );
  // One alone, unless the refusal takes longer than the pause before the next one.
  expect(begun.length).toBeLessThan(6);
  expect(error).toMatchObject({ message: 'No.', report: { deleted: begun.length - 1 } });
  expect(Object.keys(await catalogue())).toHaveLength(24 - begun.length + 1);
});

it('A sync ends with an error if the source cannot confirm its deletions', async () => {
  const { sync, catalogue } = await shop(items(4));
  const failing = (): Promise<string[]> => Promise.reject(new Error('The store is down.'));
  const error = await sync(items(3), { deleteMissing: { confirm: failing } }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ message: 'The store is down.', report: { deleted: 0 } });
  // oxlint-disable-next-line typescript/consistent-type-assertions -- as a program without types
  const confirm = (() => undefined) as unknown as () => string[];
  await expect(sync(items(3), { deleteMissing: { confirm } })).rejects.toThrow('a list of ids');
  expect(Object.keys(await catalogue())).toHaveLength(4);
});

it('The deletions of a sync are measured by what can be deleted: what has no key does not count', async () => {
  const { sync, client } = await shop(items(10));
  const keyless = Array.from({ length: 20 }, () => ({ title: 'No SKU', priceCents: 1 }));
  await client.products.createMany(keyless);
  const report = { ...NOTHING, unchanged: 1, unmatched: 20 };
  expect(await sync(items(1), { deleteMissing: true })).toEqual({
    ...report,
    withheld: 9,
    withheldBecause: 'limit',
  });
  expect(await sync(items(1), { deleteMissing: { max: '90%' } })).toEqual({
    ...report,
    deleted: 9,
  });
});

it('The deletions of a sync count what nobody can match, asked for or not', async () => {
  const { sync, client } = await shop(items(1));
  await client.products.create({ title: 'No SKU', priceCents: 1 });
  await client.products.create({ title: 'Of others', priceCents: 1, source: 'OTHER' });
  const owned = ({ source }: Product): boolean => source === 'API';
  for (const deleteMissing of [true, undefined]) {
    expect(await sync(items(1), { owned, deleteMissing })).toEqual({
      ...NOTHING,
      unchanged: 1,
      unmatched: 1,
    });
  }
});

// A rejection that nobody waits for would end the process, and with it this test.
it.each([
  ['a promise', () => Promise.resolve(false)],
  ['a promise that rejects', () => Promise.reject(new Error('The database is down.'))],
])('A deletion of a sync needs a plain answer from owned: not %s', async (_, answer) => {
  const { sync, network } = await shop(items(4));
  // oxlint-disable-next-line typescript/consistent-type-assertions -- as a program without types
  const owned = answer as unknown as () => boolean;
  const before = network.sent.length;
  await expect(sync(items(3, 9), { owned, deleteMissing: true })).rejects.toThrow(
    'Expected owned to be a function that returns a boolean',
  );
  expect(network.sent.slice(before).map(({ method }) => method)).toEqual(['GET']);
});

it.each<[WithheldBecause | undefined, readonly unknown[], string[]]>([
  ['doubts', [{}], ['It may be cut off.']],
  ['unclear', [{}], []],
  ['nothing-accepted', [{ sku: 'NOBODY' }], []],
  ['limit', [item('S-0')], []],
  [undefined, items(4), ['It may be cut off.']],
])(
  'The deletions of a sync are withheld for the first of several reasons: %s',
  async (because, list, doubts) => {
    const { sync, catalogue } = await shop(items(4));
    const report = await sync(list, { deleteMissing: { max: 0, doubts } });
    expect(report.withheldBecause).toBe(because);
    expect(Object.keys(await catalogue())).toHaveLength(4);
  },
);

it('The deletions of a sync are withheld if no item is accepted', async () => {
  const { sync, catalogue } = await shop(items(3));
  const error = { sku: 'rate_limited', message: 'Try later' };
  const report = await sync([error], { deleteMissing: { max: '100%' } });
  expect(report).toMatchObject({ deleted: 0, withheld: 3, refused: [{ key: 'rate_limited' }] });
  expect(Object.keys(await catalogue())).toHaveLength(3);
});

it('A deletion of a sync spares resources that share a key', async () => {
  const { sync, client, catalogue } = await shop([item('A')]);
  const twins = await client.products.createMany([item('T'), item('T'), item('U'), item('U')]);
  const report = await sync([item('A'), item('T', 7)], { deleteMissing: true });
  expect(report).toEqual({
    ...NOTHING,
    unchanged: 1,
    kept: twins.slice(2).map(({ id }) => ({
      id,
      key: 'U',
      reason: '2 resources have this sku',
    })),
    refused: [{ index: 1, key: 'T', ...refusedFor('sku', '2 products have the value "T"') }],
  });
  expect(await catalogue()).toEqual({ A: 1, T: 1, U: 1 });
});

it.each([
  ['the push', 'POST', 'after the items were read'],
  ['its reading', 'GET', 'during the sync'],
])(
  'A deletion of a sync spares a resource that is changed meanwhile: after %s',
  async (_, moment, when) => {
    const { sync, client, network, catalogue } = await shop([item('A'), item('X'), item('Y')]);
    const [, x] = await all(client.products.list());
    const id = x?.id ?? '';
    let isChanged = false;
    network.after = async ({ method, path }) => {
      if (isChanged || method !== moment || (moment === 'GET' && !path.endsWith(id))) return;
      isChanged = true;
      await client.products.update(id, { priceCents: 9 });
    };
    const report = await sync([item('A', 2)], { deleteMissing: { max: 2 } });
    expect(isChanged).toBe(true);
    expect(report).toMatchObject({ updated: 1, deleted: 1 });
    expect(report.kept).toEqual([{ id, key: 'X', reason: `it was changed ${when}` }]);
    expect(await catalogue()).toEqual({ A: 2, X: 9 });
  },
);
