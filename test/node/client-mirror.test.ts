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
  readonly #log = new Map<string, number>();
  #changes = 0;

  /** What somebody does in the store. */
  put(sku: string, title: string, priceCents: number): void {
    this.#note({ sku, title, priceCents }, sku);
  }

  delete(sku: string): void {
    this.#note(undefined, sku);
  }

  changes(since: string): ReturnType<Store['changes']> {
    const skus = [...this.#log].flatMap(([sku, number]) => (number > Number(since) ? sku : []));
    return Promise.resolve({
      changed: skus.flatMap((sku) => this.items.get(sku) ?? []),
      deleted: skus.filter((sku) => !this.items.has(sku)),
      since: String(this.#changes),
    });
  }

  save(item: Item): Promise<void> {
    this.writes++;
    this.#note(item, item.sku);
    return Promise.resolve();
  }

  remove(sku: string): Promise<void> {
    this.writes++;
    this.#note(undefined, sku);
    return Promise.resolve();
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
  readonly state: MirrorState;
  readonly network: FaultyNetwork;
  readonly run: () => Promise<void>;
}

function side(): Side {
  const store = new FakeStore();
  const state = { storeSince: '0', serviceSince: '0', known: new Map<string, never>() };
  const network = new FaultyNetwork();
  // Not before the server runs.
  const run = (): Promise<void> => mirror(client(network).products, store, state);
  return { store, state, network, run };
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

  it('starts again when its token is no longer good, and finds what was deleted meanwhile', async () => {
    const { products } = client();
    const [product] = await all(products.list({ sku: 'E' }));
    await products.delete(product?.id ?? '');
    one.network.next(Response.json({ error: 'This token is no longer good.' }, { status: 410 }));
    await one.run();
    await other.run();
    await expectEqual();
    expect(one.network.sent.at(-1)?.search.get('since')).toBe('0');
    expect(one.store.items.has('E')).toBe(false);
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
