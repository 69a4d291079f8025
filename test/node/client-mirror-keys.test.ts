import { beforeEach, describe, expect, it } from 'vitest';
import { Mirrored } from './mirrored.ts';
import { all } from './outcomes.ts';

// The service trims a SKU and normalizes it to NFC. The store keeps it as it is.

let mine: Mirrored;

beforeEach(async () => {
  [mine] = await Mirrored.create();
});

/** Runs the mirror until nothing moves, and expects these titles in the store and in the service, and no report. */
async function expectTitles(
  inStore: Readonly<Record<string, string>>,
  inService = inStore,
): Promise<void> {
  expect(await mine.runs()).toEqual([]);
  expect(await mine.titles()).toEqual([inStore, inService]);
}

describe('A store that spells a SKU in another way than the service', () => {
  const [sku, key] = [' cafe\u0301', 'caf\u00e9'];

  it('gets what the service has, changes and deletes under its own spelling', async () => {
    const id = await mine.create(key, 'Of the service');
    mine.store.put(sku, 'Of the store', 2);
    await expectTitles({ [sku]: 'Of the service' }, { [key]: 'Of the service' });
    await mine.update(id, { title: 'Changed' });
    await expectTitles({ [sku]: 'Changed' }, { [key]: 'Changed' });
    await mine.delete(id);
    await expectTitles({});
    expect(mine.store.writes).toBe(3);
  });

  it('changes and deletes the product', async () => {
    mine.store.put(sku, 'Rope', 1);
    await mine.runs();
    const id = await mine.idOf(key);
    mine.store.put(sku, 'Changed', 1);
    await expectTitles({ [sku]: 'Changed' }, { [key]: 'Changed' });
    expect(await mine.idOf(key)).toBe(id);
    mine.store.delete(sku);
    await expectTitles({});
    expect(mine.store.writes).toBe(0);
  });

  it('may change the spelling: the product stays the same', async () => {
    mine.store.put(key, 'Rope', 1);
    await mine.runs();
    const id = await mine.idOf(key);
    mine.store.delete(key);
    mine.store.put(sku, 'Rope', 1);
    await mine.runs();
    expect([await mine.idOf(key), mine.store.writes]).toEqual([id, 0]);
    await mine.update(id, { title: 'Changed' });
    await expectTitles({ [sku]: 'Changed' }, { [key]: 'Changed' });
  });

  it.each(['just before the service has it', 'after the service refused its first form'])(
    'gets no second item if it has one %s',
    async (when) => {
      if (when.startsWith('after')) {
        mine.store.put(key, 'x'.repeat(300), 1);
        expect(await mine.runs(1)).toHaveLength(1);
        mine.store.delete(key);
      } else await mine.run();
      mine.store.put(sku, 'Of the store', 2);
      await mine.create(key, 'Of the service');
      await expectTitles({ [sku]: 'Of the service' }, { [key]: 'Of the service' });
    },
  );

  it.each(['store', 'service'] as const)('loses nothing if the %s wins', async (winner) => {
    mine.store.put(sku, 'Of the store', 1);
    await mine.runs();
    await mine.update(await mine.idOf(key), { title: 'Of the service' });
    mine.expire();
    await mine.run(winner);
    await expectTitles({ [sku]: `Of the ${winner}` }, { [key]: `Of the ${winner}` });
  });
});

const TWO_ITEMS = 'A: not copied, because 2 items of the store have this sku: "A", "A "';

describe('Two items of the store with one SKU', () => {
  beforeEach(() => {
    mine.store.put('A', 'Rope', 1);
    mine.store.put('A ', 'Yacht', 2);
  });

  it('are reported in each run. They do not touch the product, nor does it touch them', async () => {
    expect(await mine.runs(2)).toEqual([TWO_ITEMS, TWO_ITEMS]);
    expect(await mine.titles()).toEqual([{ A: 'Rope', 'A ': 'Yacht' }, {}]);
    const id = await mine.create('A', 'Of the service');
    await mine.create('B', 'Other');
    expect(await mine.runs(1)).toEqual([TWO_ITEMS]);
    await mine.update(id, { title: 'Changed' });
    mine.store.put('A', 'Rope, longer', 1);
    await mine.runs(1);
    mine.store.put('A ', 'Yacht, longer', 1);
    expect(await mine.runs()).toHaveLength(3);
    const stay = { A: 'Rope, longer', 'A ': 'Yacht, longer', B: 'Other' };
    expect(await mine.titles()).toEqual([stay, { A: 'Changed', B: 'Other' }]);
    await mine.delete(id);
    await mine.runs();
    expect(await mine.titles()).toEqual([stay, { B: 'Other' }]);
  });

  type Titles = Readonly<Record<string, string>>;
  const OF_SERVICE = 'Of the service';
  const ROPE = { A: 'Rope' };
  const THEIRS = { A: OF_SERVICE };
  it.each<[what: string, title: string | undefined, deleted: string[], Titles, inService: Titles]>([
    ['the second is deleted', undefined, ['A '], ROPE, ROPE],
    ['the first is deleted', undefined, ['A'], { 'A ': 'Yacht' }, { A: 'Yacht' }],
    // As any first contact.
    ['one is deleted: the service wins', OF_SERVICE, ['A'], { 'A ': OF_SERVICE }, THEIRS],
    ['both are deleted: the product comes', OF_SERVICE, ['A', 'A '], THEIRS, THEIRS],
  ])('are copied once %s', async (_, title, deleted, inStore, inService) => {
    if (title !== undefined) await mine.create('A', title);
    await mine.runs(1);
    for (const sku of deleted) mine.store.delete(sku);
    await expectTitles(inStore, inService);
  });

  it('may be spelled the same', async () => {
    const items = ['Rope', 'Yacht'].map((title) => ({ sku: 'A', title, priceCents: 1 }));
    mine.store.changes = (since) =>
      Promise.resolve({ changed: since === undefined ? items : [], deleted: [], since: '1' });
    const report = 'A: not copied, because 2 items of the store have this sku: "A", "A"';
    expect(await mine.runs(2)).toEqual([report, report]);
    expect([mine.writes(), mine.store.writes]).toEqual([0, 0]);
  });
});

it('A second item with one SKU is not forgotten by a run that breaks off', async () => {
  mine.store.put('A', 'Rope', 1);
  await mine.create('X', 'Of the service');
  let reads = 0;
  mine.store.onRead = () => {
    if (++reads === 2) mine.store.put('A ', 'Yacht', 2);
    return Promise.resolve();
  };
  mine.store.isDown = true;
  await expect(mine.run()).rejects.toThrow('The store is down.');
  mine.store.isDown = false;
  mine.reports.splice(0);
  expect(await mine.runs(2)).toEqual([TWO_ITEMS, TWO_ITEMS]);
  expect((await mine.titles())[1]).toEqual({ X: 'Of the service' });
});

describe('A second item with the SKU of an item that both sides have', () => {
  let id: string;

  beforeEach(async () => {
    mine.store.put('A', 'Rope', 1);
    await mine.runs();
    id = await mine.idOf('A');
    mine.store.put('A ', 'Yacht', 2);
  });

  it.each(['before', 'after'])('is reported if the product changes %s that', async (when) => {
    if (when === 'after') expect(await mine.runs(1)).toEqual([TWO_ITEMS]);
    await mine.update(id, { title: 'Changed' });
    expect(await mine.runs(2)).toEqual([TWO_ITEMS, TWO_ITEMS]);
    expect(await mine.titles()).toEqual([{ A: 'Rope', 'A ': 'Yacht' }, { A: 'Changed' }]);
    expect(mine.store.writes).toBe(0);
  });

  it('can go again: what the service has changed meanwhile wins', async () => {
    await mine.runs(1);
    await mine.update(id, { title: 'Changed' });
    await mine.runs(1);
    mine.store.delete('A ');
    mine.store.put('Y', 'Yacht', 2);
    await expectTitles({ A: 'Changed', Y: 'Yacht' });
    expect(await mine.idOf('A')).toBe(id);
  });

  it('can go again: what the store has changed meanwhile is copied', async () => {
    await mine.runs(1);
    mine.store.put('A', 'Rope, longer', 3);
    await mine.runs(1);
    mine.store.delete('A ');
    await expectTitles({ A: 'Rope, longer' });
  });

  it('takes the place of the first if that is deleted', async () => {
    await mine.runs(1);
    mine.store.delete('A');
    await expectTitles({ 'A ': 'Yacht' }, { A: 'Yacht' });
    expect(await mine.idOf('A')).toBe(id);
    mine.store.delete('A ');
    await expectTitles({});
  });

  it('is no reason to delete the first if the service has deleted the product', async () => {
    await mine.runs(1);
    await mine.delete(id);
    await mine.runs(1);
    mine.store.delete('A ');
    await expectTitles({ A: 'Rope' });
  });
});

describe('Two products with one SKU', () => {
  const REPORT: readonly unknown[] = [
    expect.stringMatching(/^A: not copied, because 2 products have this sku: \S{36}, \S{36}$/),
  ];

  it('are reported in each run, and touch nothing', async () => {
    mine.store.put('A', 'Of the store', 1);
    const first = await mine.create('A', 'One');
    await mine.create(' A', 'Two');
    expect(await mine.runs(2)).toEqual([...REPORT, ...REPORT]);
    await mine.update(first, { title: 'One, changed' });
    mine.store.put('A', 'Changed', 1);
    expect(await mine.runs(1)).toEqual(REPORT);
    expect([(await mine.titles())[0], mine.store.writes]).toEqual([{ A: 'Changed' }, 0]);
    const titles = (await all(mine.client.products.list())).map(({ title }) => title);
    expect(titles).toEqual(['One, changed', 'Two']);
  });

  it('are reported once the second is created. If the first then goes, the item stays', async () => {
    mine.store.put('A', 'Rope', 1);
    await mine.runs();
    const first = await mine.idOf('A');
    const second = await mine.create('A', 'Second');
    expect(await mine.runs(2)).toEqual([...REPORT, ...REPORT]);
    await mine.delete(first);
    await expectTitles({ A: 'Second' });
    expect(await mine.idOf('A')).toBe(second);
  });

  it.each([0, 1])('are copied once number %i has another SKU', async (which) => {
    const ids = [await mine.create('A', 'first'), await mine.create('A', 'second')];
    await mine.runs(1);
    await mine.update(ids[which] ?? '', { sku: 'B' });
    await expectTitles(which === 0 ? { B: 'first', A: 'second' } : { A: 'first', B: 'second' });
  });

  it('are copied once one has its own SKU again, whose item the store has deleted', async () => {
    const id = await mine.create('B', 'second');
    await mine.create('A', 'first');
    await mine.runs();
    await mine.update(id, { sku: 'A' });
    expect(await mine.runs(1)).toHaveLength(2);
    mine.store.delete('B');
    await mine.runs(1);
    await mine.update(id, { sku: 'B' });
    await expectTitles({ A: 'first', B: 'second' });
  });

  it('are none if a SKU moves from one to the other', async () => {
    const first = await mine.create('A', 'first');
    await mine.runs();
    await mine.update(first, { sku: 'B' });
    await mine.create('A', 'second');
    await expectTitles({ A: 'second', B: 'first' });
  });
});

it('SKUs that the service refuses are reported in each run, and their items stay', async () => {
  const bad = ['', 'A\u0000B', 'A\ud800'];
  for (const sku of bad) mine.store.put(sku, 'Rope', 1);
  mine.store.put('B', 'Good', 2);
  const refused = bad.map((): unknown => expect.stringMatching(/sku: expected/));
  expect(await mine.runs(2)).toEqual([...refused, ...refused]);
  expect([...mine.store.items.keys()]).toEqual([...bad, 'B']);
  expect([(await mine.titles())[1], mine.store.writes]).toEqual([{ B: 'Good' }, 0]);
});
