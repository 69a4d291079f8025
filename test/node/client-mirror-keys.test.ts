import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import type { Side } from '../../client/src/mirror/index.ts';
import { MirrorLossError } from '../../client/src/mirror/index.ts';
import type { StoreItem } from './fake-store.ts';
import { FakeStore, inService } from './fake-store.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { keptMirror } from './kept-mirror.ts';
import { all } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// The service trims a SKU and normalizes it to NFC. The store keeps it as it is.

let server: SharedServer;
let client: BrandClient;
let store: FakeStore;
let network: FaultyNetwork;
let reports: string[];
let run: (winner?: Side) => Promise<void>;

beforeAll(async () => {
  server = await shareServer();
  client = connect(fetch);
});

beforeEach(async () => {
  for (const { id } of await all(client.products.list())) await client.products.delete(id);
  network = new FaultyNetwork();
  const behind = connect(network.fetch);
  store = new FakeStore();
  reports = [];
  run = keptMirror(
    store,
    () => behind,
    (problem) => reports.push(problem),
  );
});

function connect(fetching: typeof fetch): BrandClient {
  const { apiKey, port } = server;
  return new BrandClient({ apiKey, baseUrl: `http://127.0.0.1:${port}`, fetch: fetching });
}

/** Runs the mirror some times. Returns what it reported. */
async function runs(times = 3): Promise<string[]> {
  for (let done = 0; done < times; done++) await run();
  return reports.splice(0);
}

/** The titles of the store, by SKU as the store spells it. */
function inStore(): Record<string, string> {
  return Object.fromEntries([...store.items.values()].map(({ sku, title }) => [sku, title]));
}

/** The titles of the service, by SKU. */
async function titles(): Promise<Record<string, string>> {
  const items = await inService(client);
  return Object.fromEntries([...items].map(([sku, { title }]) => [sku, title]));
}

/** Creates a product in the service, and returns its id. */
async function create(sku: string, title: string): Promise<string> {
  return (await client.products.create({ sku, title, priceCents: 1 })).data.id;
}

async function idOf(sku: string): Promise<string> {
  const [product] = await all(client.products.list({ sku }));
  return product?.id ?? expect.fail(`no product ${sku}`);
}

/** A SKU of the store, and how the service stores it. */
const SPELLINGS = [
  ['A ', 'A'],
  [' LEAD', 'LEAD'],
  ['\tTAB\t', 'TAB'],
  ['NBSP\u00a0', 'NBSP'],
  ['\ufeffBOM', 'BOM'],
  ['LINE\r\n', 'LINE'],
  ['cafe\u0301', 'caf\u00e9'],
  ['\u212b', '\u00c5'],
] as const;

describe.each(SPELLINGS)('A store that spells a SKU %j', (sku, key) => {
  it('keeps its item, which is copied once', async () => {
    store.put(sku, 'Rope', 1);
    const before = store.items.get(sku);
    expect(await runs()).toEqual([]);
    expect(store.items.get(sku)).toBe(before);
    expect([store.items.size, store.writes]).toEqual([1, 0]);
    expect(await titles()).toEqual({ [key]: 'Rope' });
    expect(network.sent.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });

  it('gets the values of the service in the first run if both sides have it', async () => {
    await create(key, 'Of the service');
    store.put(sku, 'Of the store', 2);
    expect(await runs()).toEqual([]);
    expect(inStore()).toEqual({ [sku]: 'Of the service' });
    expect(await titles()).toEqual({ [key]: 'Of the service' });
    expect(store.writes).toBe(1);
  });

  it('gets the changes and the deletion of the service under its own spelling', async () => {
    store.put(sku, 'Rope', 1);
    await runs();
    await client.products.update(await idOf(key), { title: 'Changed' });
    await runs();
    expect(inStore()).toEqual({ [sku]: 'Changed' });
    await client.products.delete(await idOf(key));
    expect(await runs()).toEqual([]);
    expect([...store.items]).toEqual([]);
    expect(store.writes).toBe(2);
  });

  it('changes and deletes the product', async () => {
    store.put(sku, 'Rope', 1);
    await runs();
    const id = await idOf(key);
    store.put(sku, 'Changed', 1);
    await runs();
    expect(await titles()).toEqual({ [key]: 'Changed' });
    expect(await idOf(key)).toBe(id);
    store.delete(sku);
    expect(await runs()).toEqual([]);
    expect([await titles(), store.writes]).toEqual([{}, 0]);
  });

  it('may change the spelling: the product stays the same', async () => {
    store.put(key, 'Rope', 1);
    await runs();
    const id = await idOf(key);
    store.delete(key);
    store.put(sku, 'Rope', 1);
    await runs();
    expect([await idOf(key), store.writes]).toEqual([id, 0]);
    await client.products.update(id, { title: 'Changed' });
    expect(await runs()).toEqual([]);
    expect(inStore()).toEqual({ [sku]: 'Changed' });
  });

  it('creates it just before the service does, and gets no second item', async () => {
    await runs();
    await create(key, 'Of the service');
    store.put(sku, 'Of the store', 2);
    expect(await runs()).toEqual([]);
    expect(inStore()).toEqual({ [sku]: 'Of the service' });
    expect(await titles()).toEqual({ [key]: 'Of the service' });
  });

  it('has changed the spelling of an item that the service had refused: it gets no second one', async () => {
    store.put(key, 'x'.repeat(300), 1);
    expect(await runs(1)).toHaveLength(1);
    store.delete(key);
    store.put(sku, 'Of the store', 1);
    await create(key, 'Of the service');
    expect(await runs()).toEqual([]);
    expect(inStore()).toEqual({ [sku]: 'Of the service' });
  });

  it.each(['store', 'service'] as const)('loses nothing if the %s wins', async (winner) => {
    store.put(sku, 'Rope', 1);
    await runs();
    await client.products.update(await idOf(key), { title: 'Before the restore' });
    const expired = (): void => {
      network.next(Response.json({ error: 'This token is no longer good.' }, { status: 410 }));
    };
    expired();
    await expect(run()).rejects.toThrow(new MirrorLossError([], [key]));
    expired();
    await run(winner);
    expect(await runs()).toEqual([]);
    const title = winner === 'store' ? 'Rope' : 'Before the restore';
    expect([inStore(), await titles()]).toEqual([{ [sku]: title }, { [key]: title }]);
  });
});

const ROPE_AND_YACHT = ['A: not copied, because 2 items of the store have this sku: "A", "A "'];

describe('Two items of the store with one SKU', () => {
  beforeEach(() => {
    store.put('A', 'Rope', 1);
    store.put('A ', 'Yacht', 2);
  });

  it('are reported in each run, and are not copied', async () => {
    for (let times = 0; times < 3; times++) expect(await runs(1)).toEqual(ROPE_AND_YACHT);
    expect(inStore()).toEqual({ A: 'Rope', 'A ': 'Yacht' });
    expect([await titles(), store.writes]).toEqual([{}, 0]);
  });

  it('do not touch the product, nor does it touch them', async () => {
    const id = await create('A', 'Of the service');
    await create('B', 'Other');
    expect(await runs(1)).toEqual(ROPE_AND_YACHT);
    await client.products.update(id, { title: 'Changed' });
    store.put('A', 'Rope, longer', 1);
    await runs(1);
    store.put('A ', 'Yacht, longer', 1);
    expect(await runs()).toHaveLength(3);
    expect(inStore()).toEqual({ A: 'Rope, longer', 'A ': 'Yacht, longer', B: 'Other' });
    expect(await titles()).toEqual({ A: 'Changed', B: 'Other' });
    await client.products.delete(id);
    await runs();
    expect(inStore()).toMatchObject({ A: 'Rope, longer', 'A ': 'Yacht, longer' });
  });

  it('are copied once one of them has another SKU', async () => {
    await runs(1);
    store.delete('A ');
    store.put('Y', 'Yacht', 2);
    expect(await runs()).toEqual([]);
    expect([inStore(), await titles()]).toEqual(Array(2).fill({ A: 'Rope', Y: 'Yacht' }));
  });

  it.each(['A', 'A '])('are copied once %j is deleted', async (sku) => {
    await runs(1);
    store.delete(sku);
    expect(await runs()).toEqual([]);
    const [left] = store.items.values();
    expect(await titles()).toEqual({ A: left?.title });
    expect([store.items.size, store.writes]).toEqual([1, 0]);
  });

  it('leave the product to the service once one is deleted, as any first contact', async () => {
    await create('A', 'Of the service');
    await runs(1);
    store.delete('A');
    expect(await runs()).toEqual([]);
    expect([inStore(), await titles()]).toEqual([
      { 'A ': 'Of the service' },
      { A: 'Of the service' },
    ]);
  });

  it('may both be deleted: the product then comes to the store', async () => {
    await create('A', 'Of the service');
    await runs(1);
    store.delete('A');
    store.delete('A ');
    expect(await runs()).toEqual([]);
    expect([inStore(), await titles()]).toEqual(Array(2).fill({ A: 'Of the service' }));
  });
});

it('A second item with one SKU is not forgotten by a run that breaks off', async () => {
  store.put('A', 'Rope', 1);
  await create('X', 'Of the service');
  let reads = 0;
  store.onRead = () => {
    if (++reads === 2) store.put('A ', 'Yacht', 2);
    return Promise.resolve();
  };
  store.isDown = true;
  await expect(run()).rejects.toThrow('The store is down.');
  store.isDown = false;
  reports = [];
  expect(await runs(2)).toEqual([...ROPE_AND_YACHT, ...ROPE_AND_YACHT]);
  expect(await titles()).toEqual({ X: 'Of the service' });
});

describe('A second item with the SKU of an item that both sides have', () => {
  beforeEach(async () => {
    store.put('A', 'Rope', 1);
    await runs();
    store.put('A ', 'Yacht', 2);
  });

  it('is reported, and the three stay as they are', async () => {
    expect(await runs(2)).toEqual([...ROPE_AND_YACHT, ...ROPE_AND_YACHT]);
    await client.products.update(await idOf('A'), { title: 'Changed' });
    await runs();
    expect(inStore()).toEqual({ A: 'Rope', 'A ': 'Yacht' });
    expect(await titles()).toEqual({ A: 'Changed' });
  });

  it('is not found too late: the product changes at the same time', async () => {
    await client.products.update(await idOf('A'), { title: 'Changed' });
    expect(await runs(1)).toEqual(ROPE_AND_YACHT);
    expect(inStore()).toEqual({ A: 'Rope', 'A ': 'Yacht' });
    expect(store.writes).toBe(0);
  });

  it('can go again: what the service has changed meanwhile wins', async () => {
    await runs(1);
    const id = await idOf('A');
    await client.products.update(id, { title: 'Changed' });
    await runs(1);
    store.delete('A ');
    store.put('Y', 'Yacht', 2);
    expect(await runs()).toEqual([]);
    const expected = { A: 'Changed', Y: 'Yacht' };
    expect([inStore(), await titles()]).toEqual([expected, expected]);
    expect(await idOf('A')).toBe(id);
  });

  it('can go again: what the store has changed meanwhile is copied', async () => {
    await runs(1);
    store.put('A', 'Rope, longer', 3);
    await runs(1);
    store.delete('A ');
    expect(await runs()).toEqual([]);
    expect([inStore(), await titles()]).toEqual(Array(2).fill({ A: 'Rope, longer' }));
  });

  it('takes the place of the first if that is deleted', async () => {
    await runs(1);
    const id = await idOf('A');
    store.delete('A');
    expect(await runs()).toEqual([]);
    expect([inStore(), await titles()]).toEqual([{ 'A ': 'Yacht' }, { A: 'Yacht' }]);
    expect(await idOf('A')).toBe(id);
    store.delete('A ');
    await runs();
    expect(await titles()).toEqual({});
  });

  it('is no reason to delete the product if the service has deleted it: it is created again', async () => {
    await runs(1);
    await client.products.delete(await idOf('A'));
    await runs(1);
    store.delete('A ');
    expect(await runs()).toEqual([]);
    expect([inStore(), await titles()]).toEqual(Array(2).fill({ A: 'Rope' }));
  });
});

describe('Two products with one SKU', () => {
  const REPORT: readonly unknown[] = [
    expect.stringMatching(/^A: not copied, because 2 products have this sku: \S{36}, \S{36}$/),
  ];

  it('are reported in each run, and touch nothing', async () => {
    store.put('A', 'Of the store', 1);
    const ids = [await create('A', 'One'), await create(' A', 'Two')];
    for (let times = 0; times < 3; times++) expect(await runs(1)).toEqual(REPORT);
    await client.products.update(ids[0] ?? '', { title: 'One, changed' });
    store.put('A', 'Changed', 1);
    expect(await runs(1)).toEqual(REPORT);
    expect([inStore(), store.writes]).toEqual([{ A: 'Changed' }, 0]);
    const found = await all(client.products.list());
    expect(found.map(({ title }) => title)).toEqual(['One, changed', 'Two']);
  });

  it('are reported once the second is created, and the item stays', async () => {
    store.put('A', 'Rope', 1);
    await runs();
    const first = await idOf('A');
    const second = await create('A', 'Second');
    expect(await runs(2)).toEqual([...REPORT, ...REPORT]);
    expect(inStore()).toEqual({ A: 'Rope' });
    // One of them goes: the item must not go with it.
    await client.products.delete(first);
    expect(await runs()).toEqual([]);
    expect([inStore(), await titles()]).toEqual(Array(2).fill({ A: 'Second' }));
    expect(await idOf('A')).toBe(second);
  });

  it.each(['first', 'second'])('are copied once the %s has another SKU', async (which) => {
    const ids = { first: await create('A', 'first'), second: await create('A', 'second') };
    await runs(1);
    await client.products.update(which === 'first' ? ids.first : ids.second, { sku: 'B' });
    expect(await runs()).toEqual([]);
    const other = which === 'first' ? 'second' : 'first';
    expect(inStore()).toEqual({ B: which, A: other });
    expect(await titles()).toEqual({ B: which, A: other });
  });

  it('are copied once one has its own SKU again, whose item the store has deleted', async () => {
    const id = await create('B', 'second');
    await create('A', 'first');
    await runs();
    await client.products.update(id, { sku: 'A' });
    expect(await runs(1)).toHaveLength(2);
    store.delete('B');
    await runs(1);
    await client.products.update(id, { sku: 'B' });
    expect(await runs()).toEqual([]);
    const expected = { A: 'first', B: 'second' };
    expect([inStore(), await titles()]).toEqual([expected, expected]);
  });

  it('are none if a SKU moves from one to the other', async () => {
    const first = await create('A', 'first');
    await runs();
    await client.products.update(first, { sku: 'B' });
    await create('A', 'second');
    expect(await runs()).toEqual([]);
    expect([inStore(), await titles()]).toEqual(Array(2).fill({ A: 'second', B: 'first' }));
  });
});

it('Two items that the store reports under the very same SKU are reported and not copied', async () => {
  const items = [
    { sku: 'A', title: 'Rope', priceCents: 1 },
    { sku: 'A', title: 'Yacht', priceCents: 2 },
  ];
  store.changes = (since) =>
    Promise.resolve({ changed: since ? [] : items, deleted: [], since: '1' });
  await create('A', 'Of the service');
  const report = 'A: not copied, because 2 items of the store have this sku: "A", "A"';
  expect(await runs(2)).toEqual([report, report]);
  expect([await titles(), store.writes]).toEqual([{ A: 'Of the service' }, 0]);
});

describe('A SKU that the service refuses', () => {
  it.each([
    ['empty', ''],
    ['white space', ' \t'],
    ['too long', 'x'.repeat(256)],
    ['a control character', 'A\u0000B'],
    ['a line break inside', 'A\nB'],
    ['a lone surrogate', 'A\ud800'],
    ['too many marks', `A${'\u0301'.repeat(40)}`],
  ])('(%s) is reported in each run, and its item stays', async (_, sku) => {
    store.put(sku, 'Rope', 1);
    store.put('B', 'Good', 2);
    const refused: unknown = expect.stringMatching(/sku: expected/);
    expect(await runs(2)).toEqual([refused, refused]);
    expect([...store.items.keys()]).toEqual([sku, 'B']);
    expect([await titles(), store.writes]).toEqual([{ B: 'Good' }, 0]);
    store.put(sku, 'Changed', 1);
    expect(await runs(1)).toEqual([refused]);
    const { title } = (store.items.get(sku) satisfies StoreItem | undefined) ?? expect.fail();
    expect(title).toBe('Changed');
  });
});
