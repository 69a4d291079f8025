import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { BrandClient } from '../client/src/index.ts';
import { app } from '../src/app.ts';
import type { Export } from '../tools/import/shopify-export.ts';
import { readShopifyExport } from '../tools/import/shopify-export.ts';
import type { ImportResult } from '../tools/import/import-products.ts';
import { importProducts } from '../tools/import/import-products.ts';
import { TestBrand } from './support/brand.ts';
import { meter } from './support/meter.ts';

// What an import costs, as D1 counts it. The import finds products by their handles, for which there is no index.

const SIZE = 2000;
const REQUESTS = 4;

/** An export, in which the first so many products are cheaper than before. */
function exported(reduced = 0): Export {
  const rows = Array.from({ length: SIZE }, (_, n) =>
    [`product-${n}`, `Product ${n}`, n < reduced ? '9.99' : '12.50', `SKU-${n}`].join(),
  );
  const csv = ['Handle,Title,Variant Price,Variant SKU', ...rows].join('\n');
  return readShopifyExport(csv, { currencyCode: 'USD', variants: 'all' });
}

describe(`An import of ${SIZE} products`, () => {
  const counted = meter();
  let client: BrandClient;

  beforeAll(async () => {
    const brand = await TestBrand.create('Importer');
    client = new BrandClient({
      apiKey: brand.issued.apiKey,
      baseUrl: 'http://api.test',
      fetch: async (input, init) =>
        app.request(new Request(input, init), {}, { ...env, DB: counted.db }),
    });
  });

  /** Imports, and returns what it did and what that cost. */
  async function imported(
    products: Export,
  ): Promise<Pick<ImportResult, 'created' | 'updated' | 'unchanged'> & typeof counted> {
    Object.assign(counted, { calls: 0, rowsRead: 0, rowsWritten: 0 });
    const result = await importProducts(client, products, {
      match: 'handle',
      dryRun: false,
      pruneLimit: undefined,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    return { ...result, ...counted };
  }

  it('makes a call for each 500, and writes two rows for each', async () => {
    expect(await imported(exported())).toMatchObject({
      created: SIZE,
      calls: REQUESTS,
      // The plan of each request is a row too.
      rowsWritten: 2 * SIZE + REQUESTS,
    });
  });

  it('writes what differs', async () => {
    expect(await imported(exported(7))).toMatchObject({
      updated: 7,
      unchanged: SIZE - 7,
      rowsWritten: 2 * 7 + 1,
    });
  });

  it('writes no row if nothing differs, not even a record of the request', async () => {
    expect(await imported(exported(7))).toMatchObject({
      unchanged: SIZE,
      calls: REQUESTS,
      rowsWritten: 0,
    });
  });

  it('reads the brand at most three times for each request, twelve rows for each product and twenty for the rest', async () => {
    const { rowsRead } = await imported(exported(7));
    expect(rowsRead).toBeLessThanOrEqual(REQUESTS * (3 * SIZE + 20) + 12 * SIZE);
  });
});
