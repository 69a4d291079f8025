import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Item, MirrorState, Store } from '../../client/examples/mirror.ts';
import { mirror } from '../../client/examples/mirror.ts';
import { BrandClient } from '../../client/src/index.ts';
import { all, failure } from './outcomes.ts';
import type { Server } from './server.ts';
import { startServer } from './server.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';

let server: Server;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await server.stop();
});

/** A store as stores are: it reports every change, those of the mirror included. */
class FakeStore implements Store {
  readonly items = new Map<string, Item>();
  /** How often the mirror changed something. */
  writes = 0;
  /** Called after each change of the mirror. */
  onWrite = (): void => undefined;
  /** Called before the mirror reads the changes. */
  onRead = async (): Promise<void> => Promise.resolve();
  readonly #log = new Map<string, number>();
  #changes = 0;

  /** What somebody does in the store. */
  put(sku: string, title: string, priceCents: number): void {
    this.#note({ sku, title, priceCents }, sku);
  }

  delete(sku: string): void {
    this.#note(undefined, sku);
  }

  async changes(since: string): ReturnType<Store['changes']> {
    await this.onRead();
    const skus = [...this.#log].flatMap(([sku, number]) => (number > Number(since) ? sku : []));
    return {
      changed: skus.flatMap((sku) => this.items.get(sku) ?? []),
      deleted: skus.filter((sku) => !this.items.has(sku)),
      since: String(this.#changes),
    };
  }

  save(item: Item): Promise<void> {
    this.writes++;
    this.#note(item, item.sku);
    return Promise.resolve().then(this.onWrite);
  }

  remove(sku: string): Promise<void> {
    this.writes++;
    this.#note(undefined, sku);
    return Promise.resolve().then(this.onWrite);
  }

  #note(item: Item | undefined, sku: string): void {
    if (item === undefined) this.items.delete(sku);
    else this.items.set(sku, item);
    this.#log.delete(sku);
    this.#log.set(sku, ++this.#changes);
  }
}

/** A store with its mirror. */
interface Side {
  readonly store: FakeStore;
  readonly network: FaultyNetwork;
  /** What the mirror reported. */
  readonly reports: string[];
  readonly run: (winner?: 'service' | 'store') => Promise<void>;
}

function newState(): MirrorState {
  return { storeSince: '0', serviceSince: '0', known: new Map(), waiting: new Map() };
}

function side(): Side {
  const [store, state, network] = [new FakeStore(), newState(), new FaultyNetwork()];
  const reports: string[] = [];
  const persist = (): Promise<void> => Promise.resolve();
  const report = (problem: string): unknown => reports.push(problem);
  const run: Side['run'] = async (winner) => {
    // Not before the server runs.
    await mirror({ products: client(network).products, store, state, persist, report }, winner);
  };
  return { store, network, reports, run };
}

function client(network = new FaultyNetwork()): BrandClient {
  const { apiKey, port } = server;
  return new BrandClient({ apiKey, baseUrl: `http://127.0.0.1:${port}`, fetch: network.fetch });
}

/** What the service has, as a store would have it. */
async function inService(): Promise<Map<string, Item>> {
  const products = await all(client().products.list());
  return new Map(
    products.map(({ sku, title, priceCents }) => [
      String(sku),
      { sku: String(sku), title, priceCents },
    ]),
  );
}

/** How many requests that write went through a network. */
function writes({ network }: Side): number {
  return network.sent.filter(({ method }) => method !== 'GET').length;
}

describe('The recipe for a mirror', () => {
  const [one, other] = [side(), side()];

  /** Both mirrors in turn, until what one brought has reached the other. */
  async function rounds(): Promise<void> {
    for (const { run } of [one, other, one]) await run();
  }

  /** The next request of a mirror, which reads the changes, is refused. */
  function tokenExpires({ network }: Side): void {
    network.next(Response.json({ error: 'This token is no longer good.' }, { status: 410 }));
  }

  async function expectEqual(): Promise<void> {
    const expected = await inService();
    expect(one.store.items).toEqual(expected);
    expect(other.store.items).toEqual(expected);
  }

  it('brings two stores and the service to the same products', async () => {
    one.store.put('A', 'Apple', 1);
    one.store.put('B', 'Banana', 2);
    other.store.put('B', 'Bananas', 3);
    other.store.put('C', 'Cherry', 4);
    await client().products.create({ title: 'Date', priceCents: 5, sku: 'D' });
    await rounds();
    await expectEqual();
    expect([...one.store.items.keys()].sort()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('carries a change and a deletion to the other side once, without echo', async () => {
    await rounds();
    const before = [one.store.writes, other.store.writes, writes(one), writes(other)];
    one.store.put('A', 'Apples', 10);
    one.store.delete('C');
    await rounds();
    await rounds();
    await expectEqual();
    expect(other.store.items.get('A')?.title).toBe('Apples');
    expect(other.store.items.has('C')).toBe(false);
    const after = [one.store.writes, other.store.writes, writes(one), writes(other)];
    // The first store's mirror sends the change and the deletion; the other's writes both to its store.
    expect(after.map((count, index) => count - Number(before[index]))).toEqual([0, 2, 2, 0]);
  });

  it('carries what the brand does in the service to the stores', async () => {
    const { products } = client();
    const skus = new Map((await all(products.list())).map(({ sku, id }) => [sku, id]));
    await products.update(skus.get('A') ?? '', { priceCents: 99, featured: true });
    await products.delete(skus.get('D') ?? '');
    // The same SKU once more: the deletion must not reach the new product.
    await products.create({ title: 'Date again', priceCents: 6, sku: 'D' });
    await products.delete(skus.get('B') ?? '');
    const before = [writes(one), writes(other)];
    await rounds();
    await expectEqual();
    expect([...one.store.items.keys()].sort()).toEqual(['A', 'D']);
    expect([writes(one), writes(other)]).toEqual(before);
  });

  it('tolerates that both sides delete a product', async () => {
    const { products } = client();
    const [product] = await all(products.list({ sku: 'D' }));
    await products.delete(product?.id ?? '');
    one.store.delete('D');
    await rounds();
    await expectEqual();
  });

  it('goes on after lost responses and a failure', async () => {
    one.store.put('E', 'Elderberry', 7);
    one.network.next('answer lost');
    await one.run();
    other.store.put('F', 'Fig', 8);
    other.network.next('served', ...Array.from({ length: 5 }, (): Delivery => 'never arrives'));
    expect((await failure(other.run())).status).toBeUndefined();
    await other.run();
    await rounds();
    await expectEqual();
    expect([...one.store.items.keys()].sort()).toEqual(['A', 'E', 'F']);
  });

  it('stops at a 410 if the service has lost what both sides had, until a person decides', async () => {
    await rounds();
    const { products } = client();
    const [product] = await all(products.list({ sku: 'E' }));
    await products.delete(product?.id ?? '');
    const before = [...one.store.items];
    tokenExpires(one);
    await expect(one.run()).rejects.toThrow('E would be removed');
    expect([...one.store.items]).toEqual(before);
    tokenExpires(one);
    await one.run('service');
    await other.run();
    await expectEqual();
    expect(one.store.items.has('E')).toBe(false);
  });

  it('repairs the service after a 410 if the store is right', async () => {
    await rounds();
    const { products } = client();
    const skus = new Map((await all(products.list())).map(({ sku, id }) => [sku, id]));
    await products.update(skus.get('A') ?? '', { priceCents: 1 });
    await products.delete(skus.get('F') ?? '');
    const before = new Map(one.store.items);
    tokenExpires(one);
    await expect(one.run()).rejects.toThrow('A would change, F would be removed');
    tokenExpires(one);
    await one.run('store');
    expect(await inService()).toEqual(before);
    await rounds();
    await expectEqual();
    expect(one.store.items).toEqual(before);
  });

  it('goes on by itself after a 410 if nothing is lost', async () => {
    await client().products.create({ title: 'Grape', priceCents: 9, sku: 'G' });
    tokenExpires(one);
    await one.run();
    await rounds();
    await expectEqual();
  });

  it('follows a changed SKU, and reports a product without one', async () => {
    const { products } = client();
    const [grape] = await all(products.list({ sku: 'G' }));
    await products.update(grape?.id ?? '', { sku: 'GRAPE' });
    await products.create({ title: 'No SKU', priceCents: 1 });
    await rounds();
    expect([...one.store.items.keys()].sort()).toEqual(['A', 'F', 'GRAPE']);
    expect(other.store.items).toEqual(one.store.items);
    expect(one.reports).toEqual([expect.stringMatching(/^\S{36}: not copied/)]);
    const [nameless] = (await all(products.list())).filter(({ sku }) => sku === null);
    await products.delete(nameless?.id ?? '');
  });

  it('tries a refused item in each run, until it is accepted', async () => {
    one.store.put('H', '', 8);
    one.store.put('I', 'Imbe', 9);
    await one.run();
    await one.run();
    const refused: unknown = expect.stringMatching(/^H: title: expected/);
    expect(one.reports.slice(-2)).toEqual([refused, refused]);
    one.store.put('H', 'Huckleberry', 8);
    await rounds();
    await expectEqual();
    expect(other.store.items.get('H')?.title).toBe('Huckleberry');
  });

  it('keeps a product that was changed in the service after the store deleted it', async () => {
    const { products } = client();
    const [product] = await all(products.list({ sku: 'I' }));
    one.store.delete('I');
    await products.update(product?.id ?? '', { title: 'Imbe, ripe' });
    await rounds();
    await expectEqual();
    expect(one.store.items.get('I')?.title).toBe('Imbe, ripe');
  });

  it('does not create again what is deleted in the service between its pull and its push', async () => {
    const { products } = client();
    const [product] = await all(products.list({ sku: 'I' }));
    const { store } = one;
    store.put('I', 'Imbe, dried', 9);
    store.onRead = async () => products.delete(product?.id ?? '');
    await one.run();
    store.onRead = async () => Promise.resolve();
    await rounds();
    await expectEqual();
    expect(store.items.has('I')).toBe(false);
  });

  it('is idle when nothing changes: one read each', async () => {
    await rounds();
    for (const { run, network } of [one, other]) {
      const before = network.sent.length;
      await run();
      expect(network.sent.slice(before).map(({ method }) => method)).toEqual(['GET']);
    }
  });
});

/** Why a mirror ended in the tests below. */
class Death extends Error {}

describe('The recipe for a mirror, after it died', () => {
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
   * A mirror that was in step, then both sides changed. It dies after a number of steps: writes of the store, requests
   * and writes of its state. Its state is then the one that it stored last.
   */
  async function changedSides(): Promise<{
    readonly store: FakeStore;
    readonly run: (steps?: number) => Promise<void>;
  }> {
    await clear();
    const store = new FakeStore();
    let stored = newState();
    let left = Infinity;
    const step = (): void => {
      if (--left < 0) throw new Death();
    };
    const { apiKey, port } = server;
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
        products: new BrandClient({
          ...{ apiKey, baseUrl: `http://127.0.0.1:${port}`, tries: 1 },
          fetch: dying,
        }).products,
        store,
        state: structuredClone(stored),
        persist: (state) => {
          stored = structuredClone(state);
          return Promise.resolve().then(step);
        },
        report: (problem) => {
          throw new Error(problem);
        },
      });
    };
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
        const before = await inService();
        await run();
        await run();
        const after = await inService();
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
