import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { FakeStore, FIELDS, inService } from './fake-store.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { keptMirror } from './kept-mirror.ts';
import { all } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
});

afterAll(async () => {
  await server.stop();
});

function client(options: Partial<ClientOptions> = {}): BrandClient {
  const { apiKey, port } = server;
  return new BrandClient({ apiKey, baseUrl: `http://127.0.0.1:${port}`, ...options });
}

/** Why a mirror ended in the tests below. */
class Death extends Error {}

describe('A mirror that died', () => {
  const SKUS = ['KEPT', 'STORE-CHANGES', 'STORE-DELETES', 'CHANGES', 'DELETED', 'BOTH-CHANGE'];

  /** The prices after a mirror that nothing disturbs. */
  const IN_STEP = {
    ...{ KEPT: 1, 'STORE-CHANGES': 2, 'STORE-CREATES': 2 },
    ...{ CHANGES: 3, 'BOTH-CHANGE': 3, CREATED: 3 },
  };

  /** Deletes all products, so that the next test starts with an empty service. */
  async function clear(): Promise<void> {
    const { products } = client();
    await Promise.all((await all(products.list())).map(async ({ id }) => products.delete(id)));
  }

  /**
   * A mirror of a store with an empty service. It dies after a number of steps: writes of the store, requests and writes
   * of its state. Its state is then the one that it stored last.
   */
  async function dyingMirror(): Promise<{
    readonly store: FakeStore;
    readonly run: (steps?: number) => Promise<void>;
  }> {
    await clear();
    const store = new FakeStore();
    let stored: string | undefined;
    let left = Infinity;
    const step = (): void => {
      if (--left < 0) throw new Death();
    };
    const dying: typeof fetch = async (input, init) => {
      if (left < 0) throw new Death();
      const response = await fetch(input, init);
      step();
      return response;
    };
    const run = async (steps = Infinity): Promise<void> => {
      left = steps;
      store.onWrite = step;
      await mirror({
        products: client({ tries: 1, fetch: dying }).products,
        store,
        fields: FIELDS,
        state: stored,
        persist: (state) => {
          stored = state;
          return Promise.resolve().then(step);
        },
        report: (problem) => {
          throw new Error(problem);
        },
      });
    };
    return { store, run };
  }

  /** A dying mirror that was in step, then both sides changed. */
  async function changedSides(): ReturnType<typeof dyingMirror> {
    const { store, run } = await dyingMirror();
    const { products } = client();
    await products.createMany(SKUS.map((sku) => ({ sku, title: sku, priceCents: 1 })));
    await run();
    store.put('STORE-CREATES', 'New', 2);
    store.put('STORE-CHANGES', 'Changed', 2);
    store.put('BOTH-CHANGE', 'Changed', 2);
    store.delete('STORE-DELETES');
    const ids = new Map((await all(products.list())).map(({ sku, id }) => [sku, id]));
    await products.update(ids.get('CHANGES') ?? '', { priceCents: 3 });
    await products.update(ids.get('BOTH-CHANGE') ?? '', { priceCents: 3 });
    await products.delete(ids.get('DELETED') ?? '');
    await products.create({ sku: 'CREATED', title: 'Created', priceCents: 3 });
    return { store, run };
  }

  it('after any step of its first run, deletes what the store has deleted since', async () => {
    let isDead = true;
    let steps = 0;
    for (; isDead; steps++) {
      const { store, run } = await dyingMirror();
      const { products } = client();
      for (const sku of ['BOTH', 'STORE', 'KEPT']) store.put(sku, 'Of the store', 1);
      await products.createMany(
        ['BOTH', 'SERVICE', 'KEPT'].map((sku) => ({ sku, title: sku, priceCents: 2 })),
      );
      isDead = await run(steps).then(
        () => false,
        () => true,
      );
      // What the service had before may come back, because its side wins.
      for (const sku of ['BOTH', 'SERVICE', 'STORE']) {
        if (store.items.has(sku)) store.delete(sku);
      }
      await run();
      await run();
      const after = await inService(client());
      expect(store.items, `${steps} steps`).toEqual(after);
      expect(after.has('STORE'), `${steps} steps`).toBe(false);
    }
    expect(steps).toBeGreaterThan(8);
  });

  it('while it deleted a product, and again when that was changed, takes its deletion for news', async () => {
    await clear();
    const [store, network] = [new FakeStore(), new FaultyNetwork()];
    const behind = client({ fetch: network.fetch });
    const run = keptMirror(
      store,
      () => behind,
      (problem) => expect.fail(problem),
    );
    const { products } = client();
    const { data } = await products.create({ sku: 'P', title: 'P', priceCents: 1 });
    await run();
    store.delete('P');
    network.respond = ({ search }) =>
      search === '?match=id' ? Response.json({ error: 'No.' }, { status: 403 }) : undefined;
    await expect(run()).rejects.toThrow('No.');
    network.respond = () => undefined;
    await products.update(data.id, { title: 'Changed' });
    store.onWrite = () => {
      throw new Death();
    };
    await expect(run()).rejects.toThrow(Death);
    store.onWrite = () => undefined;
    await products.delete(data.id);
    await run();
    await run();
    expect([...store.items.keys(), ...(await inService(client())).keys()]).toEqual([]);
  });

  it.each(['leaves all', 'changes all', 'deletes all'] as const)(
    'after any step, loses nothing of the service, which somebody %s meanwhile',
    async (change) => {
      let isDead = true;
      let steps = 0;
      for (; isDead; steps++) {
        const { store, run } = await changedSides();
        isDead = await run(steps).then(
          () => false,
          () => true,
        );
        const { products } = client();
        const found = await all(products.list());
        if (change === 'deletes all') await clear();
        if (change === 'changes all') {
          const items = found.map(({ id, priceCents }) => ({ id, priceCents: priceCents + 10 }));
          await products.push(items, { match: 'id' });
        }
        const before = await inService(client());
        await run();
        await run();
        const after = await inService(client());
        expect(store.items, `${steps} steps`).toEqual(after);
        if (change === 'leaves all') {
          const prices = Object.fromEntries(
            [...after].map(([sku, item]) => [sku, item.priceCents]),
          );
          expect(prices, `${steps} steps`).toEqual(IN_STEP);
        } else {
          const lost = found.filter(({ sku }) => {
            const [then, now] = [before.get(String(sku)), after.get(String(sku))];
            return JSON.stringify(then) !== JSON.stringify(now);
          });
          expect(lost, `${steps} steps`).toEqual([]);
        }
      }
      expect(steps).toBeGreaterThan(12);
    },
  );
});
