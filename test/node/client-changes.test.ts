import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangesPage, Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import { all, failure } from './outcomes.ts';
import type { Server } from './server.ts';
import { startServer } from './server.ts';
import type { Fate } from './wire.ts';
import { Wire } from './wire.ts';

let server: Server;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await server.stop();
});

function connect(...fates: readonly Fate[]): { client: BrandClient; wire: Wire } {
  const { apiKey, port } = server;
  const wire = new Wire(...fates);
  const baseUrl = `http://127.0.0.1:${port}`;
  return { client: new BrandClient({ apiKey, baseUrl, fetch: wire.fetch }), wire };
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

  it('begins with everything, in pages of 250', async () => {
    const { client, wire } = connect();
    const pages = await all(client.products.changes());
    expect(pages.map(({ changed }) => changed.length)).toEqual([250, 50]);
    expect(pages.flatMap(({ changed }) => changed)).toEqual(created);
    expect(pages.flatMap(({ deleted }) => deleted)).toEqual([]);
    expect(wire.sent[0]?.search.get('since')).toBe('0');
    expect(wire.sent).toHaveLength(2);
    token = pages.at(-1)?.since ?? '';
  });

  it('goes on from the token of the last page, with one empty page if nothing changed', async () => {
    const { client, wire } = connect();
    expect(await all(client.products.changes({ since: token }))).toEqual([
      { changed: [], deleted: [], since: token },
    ]);
    expect(wire.sent).toHaveLength(1);
  });

  it('reports changes and deletions in pages of the size that you ask for', async () => {
    const { client, wire } = connect();
    const [first, second, third] = created.map(({ id }) => id);
    await client.products.update(second ?? '', { title: 'Changed' });
    await client.products.delete(first ?? '');
    await client.products.update(third ?? '', { title: 'Changed too' });
    const before = wire.sent.length;
    const pages = await all(client.products.changes({ since: token, limit: 2 }));
    expect(wire.sent.slice(before).map(({ search }) => search.get('limit'))).toEqual(['2', '2']);
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
    const { client, wire } = connect();
    for await (const page of client.products.changes()) {
      expect(page.changed).toHaveLength(250);
      break;
    }
    expect(wire.sent).toHaveLength(1);
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
    async (fate) => {
      const { client } = connect(fate, 'served', fate);
      const pages: ChangesPage<Product>[] = await all(client.products.changes({ limit: 200 }));
      expect(pages.flatMap(({ changed }) => changed)).toHaveLength(299);
    },
  );

  it('throws the error of a token that is no longer good, or never was', async () => {
    const text = 'This token is no longer good. Start again with since=0.';
    const { client } = connect(Response.json({ error: text }, { status: 410 }));
    const gone = await failure(all(client.products.changes({ since: token })));
    expect([gone.status, gone.message]).toEqual([410, text]);
    const bad = await failure(all(client.products.changes({ since: 'guess' })));
    expect([bad.status, bad.problems[0]?.path]).toEqual([400, 'since']);
  });
});
