import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { standard, TestBrand } from '../../../test/support/brand.ts';
import { meter } from '../../../test/support/meter.ts';
import { BrandClient } from '../../src/index.ts';

// What a sync costs in D1, which bills rows. test/costs.test.ts has what each operation costs.

it('A sync reads the brand once, by a field without an index too, and writes what differs', async () => {
  const size = 2000;
  const brand = await TestBrand.create();
  const metered = meter();
  const client = new BrandClient({
    apiKey: brand.issued.apiKey,
    baseUrl: 'http://api.test',
    fetch: async (input, init) =>
      standard.app.request(new Request(input, init), {}, { ...env, DB: metered.db }),
  });
  /** A catalogue, in which the first so many products are cheaper than before. */
  const catalogue = (reduced: number): { handle: string; title: string; priceCents: number }[] =>
    Array.from({ length: size }, (_, n) => ({
      handle: `product-${n}-`,
      title: `Product ${n}`,
      priceCents: n < reduced ? 999 : 1250,
    }));
  for (const [reduced, counts, pushes, rowsWritten] of [
    // The plan of each request is a row too.
    [0, { created: size }, 4, 2 * size + 4],
    [7, { updated: 7, unchanged: size - 7 }, 1, 2 * 7 + 1],
    [7, { unchanged: size }, 0, 0],
  ] as const) {
    Object.assign(metered, { calls: 0, rowsRead: 0, rowsWritten: 0 });
    const before = reduced === 0 ? 0 : size;
    const report = await client.products.sync(catalogue(reduced), { match: 'handle' });
    expect({ ...report, rowsWritten: metered.rowsWritten }).toMatchObject({
      ...counts,
      rowsWritten,
    });
    // A list is read in steps.
    expect(metered.calls).toBeLessThanOrEqual(pushes + 4);
    // The brand once, and three times for each push; twelve rows for each product that is pushed, and twenty for the rest.
    const pushed = pushes === 0 ? 0 : 3 * size * pushes + 12 * size;
    expect(metered.rowsRead).toBeLessThanOrEqual(before + pushed + 20 * (pushes + 4));
  }
});
