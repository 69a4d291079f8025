import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangesPage, Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import { all, failure } from './outcomes.ts';
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

function connect(...deliveries: readonly Delivery[]): {
  client: BrandClient;
  network: FaultyNetwork;
} {
  const { apiKey, port } = server;
  const network = new FaultyNetwork(...deliveries);
  const baseUrl = `http://127.0.0.1:${port}`;
  return { client: new BrandClient({ apiKey, baseUrl, fetch: network.fetch }), network };
}

describe('Following changes', () => {
  let created: Product[];
  let token: string;

  beforeAll(async () => {
    const inputs = Array.from({ length: 300 }, (_, index) => ({
      title: `Number ${index}`,
      priceCents: index,
    }));
    created = await connect().client.products.createMany(inputs);
  });

  it('starts with all resources, in pages of 250', async () => {
    const { client, network } = connect();
    const pages = await all(client.products.changes());
    expect(pages.map(({ changed }) => changed.length)).toEqual([250, 50]);
    expect(pages.flatMap(({ changed }) => changed)).toEqual(created);
    expect(pages.flatMap(({ deleted }) => deleted)).toEqual([]);
    expect(network.sent[0]?.search.get('since')).toBe('0');
    expect(network.sent).toHaveLength(2);
    token = pages.at(-1)?.since ?? '';
  });

  it('continues from the token of the last page, with one empty page if nothing changed', async () => {
    const { client, network } = connect();
    expect(await all(client.products.changes({ since: token }))).toEqual([
      { changed: [], deleted: [], since: token },
    ]);
    expect(network.sent).toHaveLength(1);
  });

  it('reports changes and deletions in pages of the size that you ask for', async () => {
    const { client, network } = connect();
    const [first, second, third] = created.map(({ id }) => id);
    await client.products.update(second ?? '', { title: 'Changed' });
    await client.products.delete(first ?? '');
    await client.products.update(third ?? '', { title: 'Changed too' });
    const before = network.sent.length;
    const pages = await all(client.products.changes({ since: token, limit: 2 }));
    expect(network.sent.slice(before).map(({ search }) => search.get('limit'))).toEqual(['2', '2']);
    const seen = pages.map(({ changed, deleted }) => [changed.map(({ id }) => id), deleted]);
    expect(seen).toEqual([
      [[second], [first]],
      [[third], []],
    ]);
    // A page that was applied need not be read again.
    const rest = await all(client.products.changes({ since: pages[0]?.since }));
    expect(rest).toEqual(pages.slice(1));
  });

  it('reads a page only when it is needed', async () => {
    const { client, network } = connect();
    for await (const page of client.products.changes()) {
      expect(page.changed).toHaveLength(250);
      break;
    }
    expect(network.sent).toHaveLength(1);
  });

  it('works the same for coupon codes', async () => {
    const { couponCodes } = connect().client;
    const { data } = await couponCodes.create({ code: 'SAVE10', discountPercent: 10 });
    const [page] = await all(couponCodes.changes());
    expect(page?.changed).toEqual([data]);
    await couponCodes.delete(data.id);
    const pages = await all(couponCodes.changes({ since: page?.since }));
    expect(pages.map(({ changed, deleted }) => ({ changed, deleted }))).toEqual([
      { changed: [], deleted: [data.id] },
    ]);
  });

  it.each(['answer lost', 'body lost', 'never arrives'] as const)(
    'misses nothing when a response is lost: %s',
    async (delivery) => {
      const { client } = connect(delivery, 'served', delivery);
      const pages: ChangesPage<Product>[] = await all(client.products.changes({ limit: 200 }));
      expect(pages.flatMap(({ changed }) => changed)).toHaveLength(299);
    },
  );

  it('throws the error of an expired or invalid token', async () => {
    const text = 'This token is no longer good. Start again with since=0.';
    const { client } = connect(Response.json({ error: text }, { status: 410 }));
    const gone = await failure(all(client.products.changes({ since: token })));
    expect([gone.status, gone.message]).toEqual([410, text]);
    const bad = await failure(all(client.products.changes({ since: 'guess' })));
    expect([bad.status, bad.problems[0]?.path]).toEqual([400, 'since']);
  });
});
