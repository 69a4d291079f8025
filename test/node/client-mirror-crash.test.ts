import { describe, expect, it } from 'vitest';
import type { Delivery } from './faulty-network.ts';
import { expectEqual, Mirrored } from './mirrored.ts';
import { all, failure } from './outcomes.ts';

const SKUS = ['KEPT', 'STORE-CHANGES', 'STORE-DELETES', 'CHANGES', 'DELETED', 'BOTH-CHANGE'];

/** The prices after a mirror that nothing disturbs. */
const IN_STEP = {
  KEPT: 1,
  'STORE-CHANGES': 2,
  'STORE-CREATES': 2,
  CHANGES: 3,
  'BOTH-CHANGE': 3,
  CREATED: 3,
};

/** A mirror of a store with an empty brand. A request that fails ends its run. */
async function fragile(): Promise<Mirrored> {
  const [mine] = await Mirrored.create(1);
  return mine;
}

/** Runs a mirror that dies after a number of steps. Returns whether it did. */
async function dies(mine: Mirrored, steps: number): Promise<boolean> {
  let left = steps;
  mine.onStep = () => {
    if (--left < 0) throw new Error('It died.');
  };
  const isDead = await mine.run().then(
    () => false,
    () => true,
  );
  mine.onStep = () => undefined;
  return isDead;
}

async function pricesInService(mine: Mirrored): Promise<Readonly<Record<string, number>>> {
  const items = await mine.inService();
  return Object.fromEntries(items.map(({ sku, priceCents }) => [sku, priceCents]));
}

/** A mirror that was in step, then both sides changed. */
async function changedSides(): Promise<Mirrored> {
  const mine = await fragile();
  const { products } = mine.client;
  await products.createMany(SKUS.map((sku) => ({ sku, title: sku, priceCents: 1 })));
  await mine.run();
  mine.store.put('STORE-CREATES', 'New', 2);
  mine.store.put('STORE-CHANGES', 'Changed', 2);
  mine.store.put('BOTH-CHANGE', 'Changed', 2);
  mine.store.delete('STORE-DELETES');
  const changes = [
    { sku: 'CHANGES', priceCents: 3 },
    { sku: 'BOTH-CHANGE', priceCents: 3 },
    { sku: 'DELETED', deleted: true },
    { sku: 'CREATED', title: 'Created', priceCents: 3 },
  ] as const;
  await products.push(changes, { match: 'sku' });
  return mine;
}

describe('A mirror that died', () => {
  it('after any step of its first run, deletes what the store has deleted since', async () => {
    let isDead = true;
    let steps = 0;
    for (; isDead; steps++) {
      const mine = await fragile();
      for (const sku of ['BOTH', 'STORE', 'KEPT']) mine.store.put(sku, 'Of the store', 1);
      await mine.client.products.createMany(
        ['BOTH', 'SERVICE', 'KEPT'].map((sku) => ({ sku, title: sku, priceCents: 2 })),
      );
      isDead = await dies(mine, steps);
      // What the service had before may come back, because its side wins.
      for (const sku of ['BOTH', 'SERVICE', 'STORE']) {
        if (mine.store.items.has(sku)) mine.store.delete(sku);
      }
      await mine.runs(2);
      expect(await expectEqual(mine), `${steps} steps`).not.toHaveProperty('STORE');
    }
    expect(steps).toBeGreaterThan(8);
  });

  it.each(['leaves all', 'changes all', 'deletes all'] as const)(
    'after any step, loses nothing of the service, which somebody %s meanwhile',
    async (change) => {
      let isDead = true;
      let steps = 0;
      for (; isDead; steps++) {
        const mine = await changedSides();
        isDead = await dies(mine, steps);
        const { products } = mine.client;
        const found = change === 'leaves all' ? [] : await all(products.list());
        const items = found.map(({ id, priceCents }) =>
          change === 'deletes all'
            ? ({ id, deleted: true } as const)
            : { id, priceCents: priceCents + 10 },
        );
        await products.push(items, { match: 'id', minimal: true });
        const before = await pricesInService(mine);
        await mine.runs(2);
        await expectEqual(mine);
        const after = await pricesInService(mine);
        if (change === 'leaves all') expect(after, `${steps} steps`).toEqual(IN_STEP);
        for (const { sku } of found) {
          expect(after[String(sku)], `${String(sku)} after ${steps} steps`).toBe(
            before[String(sku)],
          );
        }
      }
      expect(steps).toBeGreaterThan(12);
    },
  );

  it('while it deleted a product, and again when that was changed, takes its deletion for news', async () => {
    const mine = await fragile();
    const id = await mine.create('P');
    await mine.run();
    mine.store.delete('P');
    mine.network.next('served', 'served', Response.json({ error: 'No.' }, { status: 403 }));
    await expect(mine.run()).rejects.toThrow('No.');
    await mine.update(id, { title: 'Changed' });
    mine.store.onWrite = () => {
      throw new Error('It died.');
    };
    await expect(mine.run()).rejects.toThrow('It died.');
    mine.store.onWrite = () => undefined;
    await mine.delete(id);
    await mine.runs(2);
    expect(await expectEqual(mine)).toEqual({});
  });

  /** A mirror that was in step, and then could not end a run that creates or deletes. */
  async function diedAt(change: (mine: Mirrored) => void, ...fate: Delivery[]): Promise<Mirrored> {
    const mine = await fragile();
    mine.store.put('OLD', 'Rope', 1);
    await mine.run();
    change(mine);
    mine.network.next('served', ...fate);
    await failure(mine.run());
    return mine;
  }
  const creates = ({ store }: Mirrored): void => {
    store.put('S', 'Rope', 1);
  };

  it.each(['never arrives', 'answer lost'] as const)(
    'creating (%s) overwrites nobody who created or changed the same',
    async (delivery) => {
      const mine = await diedAt(creates, delivery);
      const made = await mine.idOf('S');
      if (made !== '') await mine.update(made, { title: 'By a person' });
      else await mine.create('S', 'By a person');
      await mine.delete(await mine.create('X', 'Mistake'));
      await mine.runs(2);
      expect(await expectEqual(mine)).toEqual({ OLD: 'Rope', S: 'By a person' });
    },
  );

  it('after a creation that arrived follows its new SKU', async () => {
    const mine = await diedAt(creates, 'answer lost');
    await mine.update(await mine.idOf('S'), { sku: 'S2' });
    await mine.runs(2);
    expect(await expectEqual(mine)).toEqual({ OLD: 'Rope', S2: 'Rope' });
  });

  const deletes = ({ store }: Mirrored): void => {
    store.delete('OLD');
  };

  it('after its own deletion keeps an item that the store has again', async () => {
    const mine = await diedAt(deletes, 'served', 'answer lost');
    mine.store.put('OLD', 'Rope, new', 9);
    await mine.runs(2);
    expect(await expectEqual(mine)).toEqual({ OLD: 'Rope, new' });
  });

  // Its statuses say nothing about a product.
  it.each([
    ['the look at a product', []],
    ['its deletion', ['served']],
  ] as const)('because a gateway answered %s with 404 loses no deletion', async (_, before) => {
    const page = new Response('default backend - 404', { status: 404 });
    const mine = await diedAt(deletes, ...before, page);
    expect(await mine.inService()).toHaveLength(1);
    await mine.run();
    expect(await expectEqual(mine)).toEqual({});
  });

  it('because a gateway refused its token with 410 does not start again', async () => {
    const [mine] = await Mirrored.create(1);
    mine.store.put('A', 'Apple', 1);
    await mine.run();
    mine.network.next(new Response('<h1>Gone</h1>', { status: 410 }));
    expect(await failure(mine.run('service'))).toMatchObject({ status: 410, isFromService: false });
    const before = mine.network.sent.length;
    await mine.run();
    expect(mine.network.sent).toHaveLength(before + 1);
  });
});
