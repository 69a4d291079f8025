import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProductPushItem } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { all } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

const PRODUCTS = 3000;

interface Item {
  readonly storeProductId: string;
  readonly title: string;
  readonly priceCents: number;
}

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
});

afterAll(async () => {
  await server.stop();
});

/** A store, by id. */
function storeOf(first: number, end: number): Map<string, Item> {
  const items = Array.from({ length: end - first }, (_, n) => ({
    storeProductId: `gid://shopify/Product/${first + n}`,
    title: `Item ${first + n}`,
    priceCents: first + n,
  }));
  return new Map(items.map((item) => [item.storeProductId, item]));
}

/** What a night did to a store: the items of one push. */
function difference(
  before: ReadonlyMap<string, Item>,
  after: ReadonlyMap<string, Item>,
): ProductPushItem<'storeProductId'>[] {
  const changed = [...after.values()].filter((item) => before.get(item.storeProductId) !== item);
  const gone = [...before.keys()].filter((storeProductId) => !after.has(storeProductId));
  return [
    ...changed,
    ...gone.map((storeProductId) => ({ storeProductId, deleted: true }) as const),
  ];
}

it('A night of 3,000 products, 50 of them changed, 20 new and 10 deleted, is one request', async () => {
  const network = new FaultyNetwork();
  const { apiKey, port } = server;
  const baseUrl = `http://127.0.0.1:${port}`;
  const { products } = new BrandClient({ apiKey, baseUrl, fetch: network.fetch });
  const evening = storeOf(0, PRODUCTS);
  const options = { match: 'storeProductId', minimal: true } as const;
  await products.push([...evening.values()], options);
  const [start] = await all(products.changes({ since: await endOf(products) }));

  const morning = new Map([...evening, ...storeOf(PRODUCTS, PRODUCTS + 20)]);
  for (const item of [...evening.values()].slice(100, 150)) {
    morning.set(item.storeProductId, { ...item, priceCents: item.priceCents + 5 });
  }
  for (const id of [...evening.keys()].slice(200, 210)) morning.delete(id);
  const before = network.sent.length;
  const results = await products.push(difference(evening, morning), options);
  expect(network.sent.slice(before).map(({ method }) => method)).toEqual(['POST']);
  const counts = new Map<string, number>();
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({ updated: 50, created: 20, deleted: 10 });

  // Whoever follows needs one request too.
  const polled = await all(products.changes({ since: start?.since ?? '' }));
  expect(polled.map(({ changed, deleted }) => [changed.length, deleted.length])).toEqual([
    [70, 10],
  ]);
  const left = await all(products.list());
  expect(new Map(left.map((product) => [product.storeProductId, product.priceCents]))).toEqual(
    new Map([...morning].map(([id, { priceCents }]) => [id, priceCents])),
  );
});

/** The token behind everything that there is. */
async function endOf(products: BrandClient['products']): Promise<string> {
  return (await all(products.changes())).at(-1)?.since ?? '';
}
