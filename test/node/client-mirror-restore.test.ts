import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import type { Side } from '../../client/src/mirror/index.ts';
import { MirrorLossError } from '../../client/src/mirror/index.ts';
import { FakeStore, inService } from './fake-store.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { keptMirror } from './kept-mirror.ts';
import { all } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// What a restored backup leaves in the service, and a mirror whose store has the right products. The tests write what
// the restore brings back, and expire the token.

let server: SharedServer;
let client: BrandClient;
let store: FakeStore;
let run: (winner?: Side) => Promise<void>;
let network: FaultyNetwork;
let reports: string[];

beforeAll(async () => {
  server = await shareServer();
});

afterAll(() => server.stop());

beforeEach(async () => {
  const [apiKey, baseUrl] = [await server.newBrand(), `http://127.0.0.1:${server.port}`];
  client = new BrandClient({ apiKey, baseUrl });
  store = new FakeStore();
  network = new FaultyNetwork();
  reports = [];
  const behind = new BrandClient({ apiKey, baseUrl, fetch: network.fetch });
  run = keptMirror(
    store,
    () => behind,
    (problem) => reports.push(problem),
  );
});

/** Creates a product in the service, and returns its id. */
async function create(sku: string, title: string): Promise<string> {
  const { data } = await client.products.create({ sku, title, priceCents: 1 });
  return data.id;
}

function expired(): Response {
  return Response.json({ error: 'This token is no longer good.' }, { status: 410 });
}

/** The next request, which reads the changes, is refused. */
function restored(): void {
  network.next(expired());
}

/** The titles in the store, by SKU, after runs that make both sides equal. */
async function settled(): Promise<Readonly<Record<string, string>>> {
  for (let times = 0; times < 3; times++) await run();
  expect(await inService(client)).toEqual(store.items);
  // A second product of the same SKU.
  expect(await all(client.products.list())).toHaveLength(store.items.size);
  return Object.fromEntries([...store.items.values()].map(({ sku, title }) => [sku, title]));
}

/** The restore is noticed, and the store's products are right. */
async function storeWins(): Promise<void> {
  restored();
  await expect(run()).rejects.toBeInstanceOf(MirrorLossError);
  restored();
  await run('store');
}

describe('A mirror whose first run broke off before a backup was restored', () => {
  it('asks before it deletes what the store had', async () => {
    const skus = ['MINE', 'B', 'C'];
    store.put('MINE', 'Of the store', 1);
    for (const sku of skus) await create(sku, sku);
    store.onWrite = () => {
      if (store.writes === 2) throw new Error('The store is down.');
    };
    await expect(run()).rejects.toThrow('The store is down.');
    store.onWrite = () => undefined;
    // The backup is older than the products and the token. Only the beginning is still good.
    for (const { id } of await all(client.products.list())) await client.products.delete(id);
    network.respond = ({ searchParams }) =>
      (searchParams.get('since') ?? '0') === '0' ? undefined : expired();
    const before = new Map(store.items);
    for (let times = 0; times < 2; times++) {
      await expect(run()).rejects.toBeInstanceOf(MirrorLossError);
    }
    expect(store.items).toEqual(before);
    await run('store');
    network.respond = () => undefined;
    expect(Object.keys(await settled()).sort()).toEqual([...before.keys()].sort());
  });

  it('goes on by itself if nothing is lost', async () => {
    for (const sku of ['A', 'B', 'C']) await create(sku, sku);
    store.onWrite = () => {
      if (store.writes === 2) throw new Error('The store is down.');
    };
    await expect(run()).rejects.toThrow('The store is down.');
    store.onWrite = () => undefined;
    restored();
    expect(await settled()).toEqual({ A: 'A', B: 'B', C: 'C' });
  });
});

describe('A mirror whose store wins over a restored backup', () => {
  it('keeps an item that has the SKU from which a product was renamed', async () => {
    const renamed = await create('Y', 'renamed');
    await run();
    await client.products.update(renamed, { sku: 'X' });
    const later = await create('Y', 'later');
    await run();
    await client.products.delete(later);
    await client.products.update(renamed, { sku: 'Y' });
    await storeWins();
    expect(await settled()).toEqual({ X: 'renamed', Y: 'later' });
  });

  it('ends with one product for each SKU if the restore brings one back under a new SKU', async () => {
    const renamed = await create('R', 'renamed');
    await run();
    await client.products.update(renamed, { sku: 'T' });
    await run();
    await client.products.update(renamed, { sku: 'R' });
    await create('T', 'deleted before');
    await storeWins();
    const titles = await settled();
    expect(titles['T']).toBe('renamed');
  });

  it('deletes what the store has deleted under the SKU to which it was renamed', async () => {
    const kept = await create('KEEP', 'keep');
    const renamed = await create('OLD', 'renamed');
    await run();
    await client.products.update(renamed, { sku: 'NEW' });
    await run();
    store.delete('NEW');
    await client.products.update(renamed, { sku: 'OLD' });
    await client.products.update(kept, { title: 'before' });
    await storeWins();
    expect(await settled()).toEqual({ KEEP: 'keep' });
  });

  it('keeps what only the store has, under a SKU that the restore brings back', async () => {
    const kept = await create('K', 'keep');
    const gone = await create('P', 'old');
    await run();
    await client.products.delete(gone);
    await run();
    store.put('P', 'new', 1);
    await create('P', 'old');
    await client.products.update(kept, { title: 'before' });
    await storeWins();
    expect(await settled()).toEqual({ K: 'keep', P: 'new' });
  });
});

it('A mirror brings an item back whose product had no SKU when the store deleted it', async () => {
  const id = await create('P', 'p');
  await run();
  await client.products.update(id, { sku: null });
  store.delete('P');
  await run();
  expect(reports).toEqual([expect.stringContaining('no sku')]);
  await client.products.update(id, { sku: 'P' });
  expect(await settled()).toEqual({ P: 'p' });
});
