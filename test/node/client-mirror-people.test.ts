import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { FakeStore, FIELDS, inService } from './fake-store.ts';
import { all } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// What people do on either side between the death of a mirror and its next run.

let server: SharedServer;
let client: BrandClient;

beforeAll(async () => {
  server = await shareServer();
  client = connect(fetch);
});

afterAll(async () => {
  await server.stop();
});

beforeEach(async () => {
  for (const { id } of await all(client.products.list())) await client.products.delete(id);
});

function connect(fetching: typeof fetch): BrandClient {
  const { apiKey, port } = server;
  return new BrandClient({
    apiKey,
    baseUrl: `http://127.0.0.1:${port}`,
    fetch: fetching,
    tries: 1,
  });
}

/** Says when a mirror dies: before a request is sent, or after its response has arrived. */
type Fate = Readonly<Partial<Record<'before' | 'after', (request: Request) => boolean>>>;

const creates = ({ url }: Request): boolean => url.includes('match=sku');
const deletes = ({ url }: Request): boolean => url.endsWith('?match=id');

/** A mirror with a store of its own. */
class Mirror {
  readonly store = new FakeStore();
  #state: string | undefined;

  /** Runs it once, and returns what it reports. */
  async run({ before, after }: Fate = {}): Promise<string[]> {
    const reports: string[] = [];
    let isDead = false;
    const dying: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      isDead ||= before?.(request) === true;
      if (isDead) throw new Error('It died.');
      const response = await fetch(request);
      isDead ||= after?.(request) === true;
      if (isDead) throw new Error('It died.');
      return response;
    };
    const running = mirror({
      products: connect(dying).products,
      store: this.store,
      fields: FIELDS,
      state: this.#state,
      persist: (text) => {
        if (isDead) return Promise.reject(new Error('It died.'));
        this.#state = text;
        return Promise.resolve();
      },
      report: (problem) => reports.push(problem),
    });
    await running.catch((error: unknown) => {
      if (!isDead) throw error;
    });
    return reports;
  }

  /** The prices on both sides, by SKU. */
  async prices(): Promise<readonly [unknown, unknown]> {
    const inStore = [...this.store.items].map(([sku, { priceCents }]) => [sku, priceCents]);
    const service = [...(await inService(client))].map(([sku, { priceCents }]) => [
      sku,
      priceCents,
    ]);
    return [Object.fromEntries(inStore), Object.fromEntries(service)];
  }
}

describe('A mirror that died', () => {
  it.each([
    ['before its creation was sent', { before: creates }],
    ['after its creation arrived', { after: creates }],
  ] as const)('%s overwrites nobody who created or changed the same', async (_, fate) => {
    const mine = new Mirror();
    await mine.run();
    mine.store.put('S', 'Rope', 1);
    await mine.run(fate);
    const [made] = await all(client.products.list());
    if (made) await client.products.update(made.id, { priceCents: 2 });
    else await client.products.create({ sku: 'S', title: 'By a person', priceCents: 2 });
    const other = await client.products.create({ sku: 'X', title: 'Mistake', priceCents: 2 });
    await client.products.delete(other.data.id);
    for (let n = 0; n < 2; n++) await mine.run();
    expect(await mine.prices()).toEqual([{ S: 2 }, { S: 2 }]);
  });

  it('after its own deletion keeps an item that the store has again', async () => {
    const mine = new Mirror();
    mine.store.put('S', 'Rope', 1);
    await mine.run();
    mine.store.delete('S');
    await mine.run({ after: deletes });
    mine.store.put('S', 'Rope, new', 9);
    for (let n = 0; n < 2; n++) await mine.run();
    expect(await mine.prices()).toEqual([{ S: 9 }, { S: 9 }]);
  });

  it('after a creation that arrived follows its new SKU', async () => {
    const mine = new Mirror();
    await mine.run();
    mine.store.put('S', 'Rope', 1);
    await mine.run({ after: creates });
    const [made] = await all(client.products.list());
    await client.products.update(made?.id ?? '', { sku: 'S2' });
    for (let n = 0; n < 2; n++) await mine.run();
    expect(await mine.prices()).toEqual([{ S2: 1 }, { S2: 1 }]);
  });
});

describe('A mirror', () => {
  it('tries a refused item again after another field of the product has changed', async () => {
    const mine = new Mirror();
    mine.store.put('S', 'Rope', 1);
    await mine.run();
    mine.store.put('S', 'x'.repeat(300), 1);
    const refusal = [expect.stringContaining('S: title: expected')];
    expect(await mine.run()).toEqual(refusal);
    const [product] = await all(client.products.list());
    await client.products.update(product?.id ?? '', { featured: true });
    for (let n = 0; n < 2; n++) expect(await mine.run()).toEqual(refusal);
  });

  it('does not delete an item that the store has again under the same SKU', async () => {
    const mine = new Mirror();
    mine.store.put('S', 'Rope', 1);
    await mine.run();
    mine.store.put('S', 'Rope, new', 9);
    // The old row was deleted, and a new one has its SKU.
    const read = mine.store.changes.bind(mine.store);
    mine.store.changes = async (since) => {
      const found = await read(since);
      return { ...found, deleted: found.changed.map(({ sku }) => sku) };
    };
    for (let n = 0; n < 2; n++) await mine.run();
    expect(await mine.prices()).toEqual([{ S: 9 }, { S: 9 }]);
  });
});
