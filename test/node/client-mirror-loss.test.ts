import { beforeEach, describe, expect, it } from 'vitest';
import { MirrorLossError } from '../../client/src/mirror/index.ts';
import { expectEqual, Mirrored } from './mirrored.ts';

// What a restored backup leaves in the service. The tests write what the restore brings back, and expire the token.

let mine: Mirrored;
let other: Mirrored;

beforeEach(async () => {
  [mine, other] = await Mirrored.create();
});

/** The titles by SKU, after runs that make both sides equal. */
async function settled(): ReturnType<typeof expectEqual> {
  await mine.runs();
  return expectEqual(mine);
}

/** The restore is noticed, and the store's products are right. */
async function storeWins(loss?: MirrorLossError): Promise<void> {
  mine.expire();
  await expect(mine.run()).rejects.toThrow(loss ?? MirrorLossError);
  mine.expire();
  await mine.run('store');
}

/** A run that cannot copy what the service has to the store. */
async function failingRun(): Promise<void> {
  mine.store.isDown = true;
  await expect(mine.run()).rejects.toThrow('The store is down.');
  mine.store.isDown = false;
}

describe('After a loss of what both sides had, a mirror', () => {
  beforeEach(async () => {
    for (const sku of ['A', 'F', 'X']) mine.store.put(sku, sku, 1);
    await mine.run();
    await mine.update(await mine.idOf('A'), { title: 'Older' });
    await mine.delete(await mine.idOf('F'));
  });

  it('stops, and makes the store equal if the service is right', async () => {
    const before = [...mine.store.items];
    mine.expire();
    await expect(mine.run()).rejects.toThrow(new MirrorLossError(['F'], ['A']));
    expect([...mine.store.items]).toEqual(before);
    mine.expire();
    await mine.run('service');
    expect(await settled()).toEqual({ A: 'Older', X: 'X' });
  });

  it('repairs the service if the store is right, and deletes what the store has deleted', async () => {
    mine.store.delete('X');
    await storeWins(new MirrorLossError(['F'], ['A']));
    expect(await settled()).toEqual({ A: 'A', F: 'F' });
    await other.run();
    await expectEqual(mine, other);
  });

  it('asks again if it ended before it wrote, and not for the other side once it has begun', async () => {
    mine.store.onRead = () => Promise.reject(new Error('No store.'));
    mine.expire();
    await expect(mine.run('store')).rejects.toThrow('No store.');
    mine.store.onRead = () => Promise.resolve();
    mine.expire();
    await expect(mine.run()).rejects.toThrow(MirrorLossError);
    // Its first write fails: it has begun to push.
    mine.expire();
    mine.network.next('served', Response.json({ error: 'No.' }, { status: 400 }));
    await expect(mine.run('store')).rejects.toThrow('No.');
    await expect(mine.run('service')).rejects.toThrow('is not finished');
    await mine.run();
    expect(await settled()).toEqual({ A: 'A', F: 'F', X: 'X' });
  });
});

describe('A mirror whose token is refused', () => {
  it('goes on by itself if nothing is lost', async () => {
    mine.store.put('A', 'A', 1);
    await mine.run();
    await mine.create('G');
    mine.expire();
    expect(await settled()).toEqual({ A: 'A', G: 'G' });
  });

  it.each([undefined, 'store', 'service'] as const)(
    'goes on with a product that it was copying to the store (winner: %s)',
    async (winner) => {
      const id = await mine.create('Q', 'Quince');
      await failingRun();
      mine.expire();
      await mine.run(winner);
      expect(await settled()).toEqual({ Q: 'Quince' });

      // What both had, and the service has changed, is for a person to decide.
      await mine.update(id, { title: 'Changed' });
      await failingRun();
      mine.expire();
      await expect(mine.run()).rejects.toThrow(new MirrorLossError([], ['Q']));
      mine.expire();
      await mine.run(winner ?? 'service');
      expect(await settled()).toEqual({ Q: winner === 'store' ? 'Quince' : 'Changed' });
    },
  );

  it('goes on if a product has lost its SKU', async () => {
    const id = await mine.create('Q', 'Quince');
    await mine.run();
    await mine.update(id, { sku: null });
    expect(await mine.runs(1)).toEqual([expect.stringContaining(id)]);
    mine.expire();
    await mine.run();
    await mine.update(id, { sku: 'Q', title: 'Named' });
    expect(await settled()).toEqual({ Q: 'Named' });
  });
});

describe('A mirror whose first run broke off before a backup was restored', () => {
  const skus = ['A', 'B', 'C'];

  beforeEach(async () => {
    mine.store.put('A', 'Of the store', 1);
    for (const sku of skus) await mine.create(sku);
    mine.store.onWrite = () => {
      if (mine.store.writes === 2) throw new Error('The store is down.');
    };
    await expect(mine.run()).rejects.toThrow('The store is down.');
    mine.store.onWrite = () => undefined;
  });

  it('asks before it deletes what the store had', async () => {
    // The backup is older than the products and the token. Only the beginning is still good.
    for (const sku of skus) await mine.delete(await mine.idOf(sku));
    mine.network.respond = ({ searchParams }) =>
      (searchParams.get('since') ?? '0') === '0'
        ? undefined
        : Response.json({ error: 'This token is no longer good.' }, { status: 410 });
    const before = new Map(mine.store.items);
    for (let times = 0; times < 2; times++) {
      await expect(mine.run()).rejects.toThrow(MirrorLossError);
    }
    expect(mine.store.items).toEqual(before);
    await mine.run('store');
    mine.network.respond = () => undefined;
    expect(Object.keys(await settled())).toEqual([...before.keys()]);
  });

  it('goes on by itself if nothing is lost', async () => {
    mine.expire();
    expect(await settled()).toEqual({ A: 'A', B: 'B', C: 'C' });
  });
});

describe('A mirror whose store wins over a restored backup', () => {
  it('keeps the SKU of the store if the restore has undone its change', async () => {
    const id = await mine.create('OLD', 'Mango');
    await mine.run();
    await mine.update(id, { sku: 'NEW' });
    await mine.run();
    await mine.update(id, { sku: 'OLD' });
    await storeWins(new MirrorLossError([], ['NEW']));
    expect(await settled()).toEqual({ NEW: 'Mango' });
    expect(await mine.idOf('NEW')).toBe(id);
  });

  it('keeps an item that has the SKU from which a product was renamed', async () => {
    const renamed = await mine.create('Y', 'renamed');
    await mine.run();
    await mine.update(renamed, { sku: 'X' });
    const later = await mine.create('Y', 'later');
    await mine.run();
    await mine.delete(later);
    await mine.update(renamed, { sku: 'Y' });
    await storeWins();
    expect(await settled()).toEqual({ X: 'renamed', Y: 'later' });
  });

  it('ends with one product for each SKU if the restore brings one back under a new SKU', async () => {
    const renamed = await mine.create('R', 'renamed');
    await mine.run();
    await mine.update(renamed, { sku: 'T' });
    await mine.run();
    await mine.update(renamed, { sku: 'R' });
    await mine.create('T', 'deleted before');
    await storeWins();
    expect(await settled()).toMatchObject({ T: 'renamed' });
  });

  it('deletes what the store has deleted under the SKU to which it was renamed', async () => {
    const kept = await mine.create('KEEP');
    const renamed = await mine.create('OLD');
    await mine.run();
    await mine.update(renamed, { sku: 'NEW' });
    await mine.run();
    mine.store.delete('NEW');
    await mine.update(renamed, { sku: 'OLD' });
    await mine.update(kept, { title: 'before' });
    await storeWins();
    expect(await settled()).toEqual({ KEEP: 'KEEP' });
  });

  it('keeps what only the store has, under a SKU that the restore brings back', async () => {
    const kept = await mine.create('K');
    const gone = await mine.create('P', 'old');
    await mine.run();
    await mine.delete(gone);
    await mine.run();
    mine.store.put('P', 'new', 1);
    await mine.create('P', 'old');
    await mine.update(kept, { title: 'before' });
    await storeWins();
    expect(await settled()).toEqual({ K: 'K', P: 'new' });
  });
});
