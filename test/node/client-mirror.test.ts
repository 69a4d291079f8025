import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrandClient } from '../../client/src/index.ts';
import type { Side as Winner } from '../../client/src/mirror/index.ts';
import { mirror, MirrorLossError } from '../../client/src/mirror/index.ts';
import { FakeStore, FIELDS, inService } from './fake-store.ts';
import { all, failure } from './outcomes.ts';
import { keptMirror } from './kept-mirror.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
});

afterAll(async () => {
  await server.stop();
});

/** A store with its mirror. */
interface Side {
  readonly store: FakeStore;
  readonly network: FaultyNetwork;
  /** What the mirror reported. */
  readonly reports: string[];
  readonly run: (winner?: Winner) => Promise<void>;
}

function side(): Side {
  const [store, network] = [new FakeStore(), new FaultyNetwork()];
  const reports: string[] = [];
  // A client only when it runs: the server does not run yet.
  const run = keptMirror(
    store,
    () => client(network),
    (problem) => reports.push(problem),
  );
  return { store, network, reports, run };
}

function client(network = new FaultyNetwork()): BrandClient {
  const { apiKey, port } = server;
  return new BrandClient({ apiKey, baseUrl: `http://127.0.0.1:${port}`, fetch: network.fetch });
}

/** How many requests that write went through a network. */
function writes({ network }: Side): number {
  return network.sent.filter(({ method }) => method !== 'GET').length;
}

describe('A mirror', () => {
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
    const expected = await inService(client());
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
    await expect(one.run()).rejects.toThrow(new MirrorLossError(['E'], []));
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
    await expect(one.run()).rejects.toThrow(new MirrorLossError(['F'], ['A']));
    tokenExpires(one);
    await one.run('store');
    expect(await inService(client())).toEqual(before);
    await rounds();
    await expectEqual();
    expect(one.store.items).toEqual(before);
  });

  it('deletes in the service what was deleted in the store, if the store is right', async () => {
    await rounds();
    const { products } = client();
    one.store.put('X', 'Xigua', 1);
    await rounds();
    one.store.delete('X');
    const [lost] = await all(products.list({ sku: 'F' }));
    await products.delete(lost?.id ?? '');
    const before = new Map(one.store.items);
    tokenExpires(one);
    await expect(one.run()).rejects.toThrow(new MirrorLossError(['F'], []));
    tokenExpires(one);
    await one.run('store');
    expect(await inService(client())).toEqual(before);
    await rounds();
    await expectEqual();
    expect(one.store.items).toEqual(before);
  });

  it('asks again if it ended before it wrote, and not for the other side once it has begun', async () => {
    await rounds();
    const { products } = client();
    const [changed] = await all(products.list({ sku: 'A' }));
    await products.update(changed?.id ?? '', { priceCents: 77 });
    const [lost] = await all(products.list({ sku: 'F' }));
    await products.delete(lost?.id ?? '');
    const before = new Map(one.store.items);
    tokenExpires(one);
    one.store.onRead = () => Promise.reject(new Error('No store.'));
    await expect(one.run('store')).rejects.toThrow('No store.');
    one.store.onRead = () => Promise.resolve();
    tokenExpires(one);
    await expect(one.run()).rejects.toThrow(new MirrorLossError(['F'], ['A']));
    // Its first write fails: it has begun to push.
    tokenExpires(one);
    one.network.next('served', Response.json({ error: 'No.' }, { status: 400 }));
    await expect(one.run('store')).rejects.toThrow('No.');
    await expect(one.run('service')).rejects.toThrow('is not finished');
    await one.run();
    expect(await inService(client())).toEqual(before);
    await rounds();
    await expectEqual();
  });

  it('deletes a product although somebody changes what is not copied', async () => {
    one.store.put('Y', 'Yam', 1);
    await rounds();
    const { products } = client();
    const [yam] = await all(products.list({ sku: 'Y' }));
    one.store.delete('Y');
    const { fetch } = one.network;
    let isChanged = false;
    Object.assign(one.network, {
      fetch: async (...request: Parameters<typeof fetch>) => {
        const answer = await fetch(...request);
        if (!isChanged && one.network.sent.at(-1)?.method === 'GET') {
          isChanged = true;
          await products.update(yam?.id ?? '', { featured: true });
        }
        return answer;
      },
    });
    await rounds();
    Object.assign(one.network, { fetch });
    expect(isChanged).toBe(true);
    await expectEqual();
    expect(one.store.items.has('Y')).toBe(false);
  });

  it('does not delete what somebody changes after the pull, and brings it back', async () => {
    one.store.put('Z', 'Zucchini', 1);
    await rounds();
    const { products } = client();
    const [found] = await all(products.list({ sku: 'Z' }));
    one.store.delete('Z');
    const { fetch } = one.network;
    let reads = 0;
    Object.assign(one.network, {
      fetch: async (...request: Parameters<typeof fetch>) => {
        const answer = await fetch(...request);
        if (one.network.sent.at(-1)?.method === 'GET' && ++reads === 1) {
          await products.update(found?.id ?? '', { title: 'Courgette' });
        }
        return answer;
      },
    });
    await one.run();
    Object.assign(one.network, { fetch });
    await rounds();
    await expectEqual();
    expect(one.store.items.get('Z')?.title).toBe('Courgette');
    one.store.delete('Z');
    await rounds();
  });

  it('deletes all that the store has deleted with one read and one push', async () => {
    for (let n = 0; n < 12; n++) one.store.put(`Z${n}`, 'Zucchini', n);
    await rounds();
    for (let n = 0; n < 12; n++) one.store.delete(`Z${n}`);
    const before = one.network.sent.length;
    await one.run();
    // What changed, whether it has changed since, and the deletions.
    expect(one.network.sent.slice(before).map(({ method }) => method)).toEqual([
      ...['GET', 'POST', 'POST'],
    ]);
    await rounds();
    await expectEqual();
  });

  it('takes what the service normalizes for the same', async () => {
    one.store.put('N', ' No\u0308el ', 1);
    await rounds();
    one.store.put('N', ' No\u0308el ', 2);
    await one.run();
    expect(one.store.items.get('N')).toEqual({ sku: 'N', title: ' No\u0308el ', priceCents: 2 });
    expect((await inService(client())).get('N')).toMatchObject({
      title: 'N\u00f6el',
      priceCents: 2,
    });
    one.store.delete('N');
    await rounds();
    await expectEqual();
    expect(one.store.items.has('N')).toBe(false);
  });

  it('goes on by itself after a 410 if nothing is lost', async () => {
    await client().products.create({ title: 'Grape', priceCents: 9, sku: 'G' });
    tokenExpires(one);
    await one.run();
    await rounds();
    await expectEqual();
  });

  it.each([undefined, 'store', 'service'] as const)(
    'goes on after a 410 if the store was down while a product was copied to it (winner: %s)',
    async (winner) => {
      const { products } = client();
      const { data: made } = await products.create({ title: 'Quince', priceCents: 7, sku: 'Q' });
      one.store.isDown = true;
      await expect(one.run()).rejects.toThrow('The store is down.');
      one.store.isDown = false;
      tokenExpires(one);
      await one.run(winner);
      await rounds();
      expect(one.store.items.get('Q')?.title).toBe('Quince');
      await expectEqual();

      // What both had, and the service has changed, is for a person to decide.
      await products.update(made.id, { title: 'Changed' });
      one.store.isDown = true;
      await expect(one.run()).rejects.toThrow('The store is down.');
      one.store.isDown = false;
      tokenExpires(one);
      await expect(one.run()).rejects.toThrow(new MirrorLossError([], ['Q']));
      tokenExpires(one);
      await one.run(winner === 'store' ? 'store' : 'service');
      await rounds();
      expect(one.store.items.get('Q')?.title).toBe(winner === 'store' ? 'Quince' : 'Changed');
      await expectEqual();
      await products.delete(made.id);
      await rounds();
    },
  );

  it('goes on after a 410 if a product has lost its SKU', async () => {
    const { products } = client();
    const { data: made } = await products.create({ title: 'Quince', priceCents: 7, sku: 'Q' });
    await rounds();
    await products.update(made.id, { sku: null });
    await one.run();
    expect(one.reports.splice(0)).toEqual([expect.stringContaining(made.id)]);
    tokenExpires(one);
    await one.run();
    await products.update(made.id, { sku: 'Q', title: 'Named' });
    await rounds();
    expect(one.store.items.get('Q')?.title).toBe('Named');
    await expectEqual();
    await products.delete(made.id);
    await rounds();
    one.reports.splice(0);
  });

  it('keeps the SKU of the store if a restore has undone its change', async () => {
    const { products } = client();
    const { data: made } = await products.create({ title: 'Mango', priceCents: 7, sku: 'OLD' });
    await rounds();
    await products.update(made.id, { sku: 'NEW' });
    await rounds();
    expect([...one.store.items.keys()]).toContain('NEW');
    // The restore: an older value, without a change that the store has to follow.
    await products.update(made.id, { sku: 'OLD' });
    tokenExpires(one);
    await expect(one.run()).rejects.toThrow(new MirrorLossError([], ['NEW']));
    tokenExpires(one);
    await one.run('store');
    expect([...one.store.items.keys()]).not.toContain('OLD');
    expect((await products.get(made.id)).data.sku).toBe('NEW');
    await rounds();
    await expectEqual();
    await products.delete(made.id);
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

  it('copies only the fields that it is told to', async () => {
    one.store.put('K', 'Kiwi', 1);
    const kiwi = one.store.items.get('K') ?? expect.fail();
    one.store.items.set('K', { ...kiwi, ...{ description: 'Of the store alone' } });
    await rounds();
    const [product] = await all(client().products.list({ sku: 'K' }));
    expect(product).toMatchObject({ title: 'Kiwi', description: '' });
    one.store.items.set('K', kiwi);
    await expectEqual();
  });

  it('copies fields of every type', async () => {
    const fields = ['title', 'priceCents', 'imageUrl', 'imageUrls', 'featured'] as const;
    const { products } = client();
    const values = { imageUrl: null, imageUrls: ['https://example.com/a.png'], featured: true };
    const lime = { sku: 'L', title: 'Lime', priceCents: 2, ...values };
    const saved: unknown[] = [];
    await mirror({
      products,
      store: {
        changes: () => Promise.resolve({ changed: [lime], deleted: [], since: '1' }),
        save: (item) =>
          Promise.resolve()
            .then(() => saved.push(item))
            .then(() => undefined),
        remove: () => Promise.resolve(),
      },
      fields,
      state: undefined,
      persist: () => Promise.resolve(),
      report: (problem) => expect.fail(problem),
    });
    expect(saved).toContainEqual({
      ...{ sku: 'K', title: 'Kiwi', priceCents: 1 },
      ...{ imageUrl: null, imageUrls: [], featured: false },
    });
    expect(await all(products.list({ sku: 'L' }))).toMatchObject([lime]);
    await rounds();
    await expectEqual();
  });

  it('takes a time with many decimals for the one that the service keeps', async () => {
    const sourceUpdatedAt = ' 2026-01-31T09:30:00.0123456789Z\n';
    const timed = { sku: 'T', title: 'Timed', priceCents: 1, sourceUpdatedAt };
    const saved: string[] = [];
    let state: string | undefined;
    const { products } = client();
    for (let runs = 0; runs < 2; runs++) {
      await mirror({
        products,
        store: {
          changes: (since) =>
            Promise.resolve({ changed: since ? [] : [timed], deleted: [], since: '1' }),
          save: ({ sku }) => Promise.resolve().then(() => void saved.push(sku)),
          remove: () => Promise.resolve(),
        },
        fields: [...FIELDS, 'sourceUpdatedAt'],
        state,
        persist: (stored) => Promise.resolve().then(() => void (state = stored)),
        report: (problem) => expect.fail(problem),
      });
    }
    const [kept] = await all(products.list({ sku: 'T' }));
    expect(kept?.sourceUpdatedAt).toBe('2026-01-31T09:30:00.012Z');
    expect(saved).not.toContain('T');
    await rounds();
  });

  it('does not run with a state of other fields', async () => {
    let state = '';
    const job = {
      products: client().products,
      store: new FakeStore(),
      persist: (stored: string) => Promise.resolve().then(() => void (state = stored)),
      report: () => undefined,
    };
    await mirror({ ...job, fields: FIELDS, state: undefined });
    await expect(mirror({ ...job, fields: ['title'], state })).rejects.toThrow(
      'The state is of a mirror with the key sku and the fields title, priceCents.',
    );
    await expect(mirror({ ...job, fields: FIELDS, key: 'sku', state })).resolves.toBeUndefined();
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
