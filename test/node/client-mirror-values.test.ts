import { beforeAll, expect, it } from 'vitest';
import type { Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import type { MirrorField } from '../../client/src/mirror/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { all } from './outcomes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// Values that the service stores in another form than the store has them: neither side may take the other's for a change.

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
});

type Field = Exclude<MirrorField, 'sku'>;

const LATE = '2026-01-31T09:30:00.012Z';

const VALUES: readonly (readonly [Field, Partial<Product>, Partial<Product>])[] = [
  ['title', { title: ' \u00a0Noe\u0308l\t' }, { title: 'No\u00ebl' }],
  ['description', { description: '\n\u212b\r\n' }, { description: '\u00c5' }],
  ['handle', { handle: ' nha\u0302\u0303n--10 ' }, { handle: 'nhẫn--10' }],
  [
    'imageUrl',
    { imageUrl: ' https://Example.COM/a.png\n' },
    { imageUrl: 'https://Example.COM/a.png' },
  ],
  [
    'imageUrls',
    { imageUrls: [' https://example.com/e\u0301.png', 'HTTPS://example.com/'] },
    { imageUrls: ['https://example.com/\u00e9.png', 'HTTPS://example.com/'] },
  ],
  [
    'marketplaceCategory',
    { marketplaceCategory: ' SUPPLEMENTS' },
    { marketplaceCategory: 'SUPPLEMENTS' },
  ],
  ['currencyCode', { currencyCode: 'EUR ' }, { currencyCode: 'EUR' }],
  ['storeProductId', { storeProductId: '\ufeffgid://a/1' }, { storeProductId: 'gid://a/1' }],
  [
    'sourceUpdatedAt',
    { sourceUpdatedAt: '2026-01-31T10:30:00.0129+01:00' },
    { sourceUpdatedAt: LATE },
  ],
  ['lastSyncedAt', { lastSyncedAt: ' 2026-01-31T04:00:00.012-05:30' }, { lastSyncedAt: LATE }],
  ['discountPercent', { discountPercent: 1.1e1 }, { discountPercent: 11 }],
  ['marginPercent', { marginPercent: -0 }, { marginPercent: 0 }],
];

it.each(VALUES)('A mirror copies %s %j once', async (field, value, expected) => {
  const [apiKey, baseUrl] = [server.apiKey, `http://127.0.0.1:${server.port}`];
  const direct = new BrandClient({ apiKey, baseUrl });
  for (const { id } of await all(direct.products.list())) await direct.products.delete(id);
  const { data: made } = await direct.products.create({
    ...{ sku: 'BOTH', title: 'Both', priceCents: 1, ...value },
  });
  expect(made).toMatchObject(expected);

  const network = new FaultyNetwork();
  const { products } = new BrandClient({ apiKey, baseUrl, fetch: network.fetch });
  // The item that both sides have, and one that only the store has.
  const items = ['BOTH', 'STORE'].map((sku) => ({ ...made, title: 'Both', ...value, sku }));
  let state: string | undefined;
  for (let runs = 0; runs < 3; runs++) {
    await mirror({
      products,
      store: {
        // It reports its items in each run, as if somebody had saved them without a change.
        changes: () => Promise.resolve({ changed: items, deleted: [], since: '1' }),
        save: (item) => expect.fail(`saved ${JSON.stringify(item)}`),
        remove: (sku) => expect.fail(`removed ${sku}`),
      },
      fields: [...new Set(['title', 'priceCents', field] as const)],
      state,
      persist: (text) => Promise.resolve().then(() => void (state = text)),
      report: (problem) => expect.fail(problem),
    });
  }
  const writes = network.sent.filter(({ method }) => method !== 'GET');
  expect(writes.map(({ body }) => body.includes('BOTH'))).toEqual([false]);
  expect(await all(direct.products.list({ sku: 'STORE' }))).toMatchObject([expected]);
});
