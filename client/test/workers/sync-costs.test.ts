import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { standard, TestBrand } from '../../../test/support/brand.ts';
import type { Meter } from '../../../test/support/meter.ts';
import { meter } from '../../../test/support/meter.ts';
import { BrandClient } from '../../src/index.ts';
import { commandOf } from '../command/commanded.ts';
import { product, woocommerceAt } from '../command/woocommerce-stand-in.ts';

// What a sync costs in D1, which bills rows. test/costs.test.ts has what each operation costs.

const SERVICE = 'http://api.test';

/** Sends requests to the service with a metered database. */
function meteredFetch({ db }: Meter): typeof fetch {
  return async (input, init) =>
    standard.app.request(new Request(input, init), {}, { ...env, DB: db });
}

/** How many calls read a complete list, of which each has 1,024 at most: 10 for 10,000 products. */
function callsToList(size: number): number {
  return Math.max(1, Math.ceil(size / 1024));
}

/** How many pushes, each of which is a call, so many items need. */
function pushesOf(size: number): number {
  return Math.ceil(size / 500);
}

it('A sync reads the brand once, by a field without an index too, and writes what differs', async () => {
  const size = 2000;
  const brand = await TestBrand.create();
  const metered = meter();
  const client = new BrandClient({
    apiKey: brand.issued.apiKey,
    baseUrl: SERVICE,
    fetch: meteredFetch(metered),
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
    [0, { created: size }, pushesOf(size), 2 * size + 4],
    [7, { updated: 7, unchanged: size - 7 }, 1, 2 * 7 + 1],
    [7, { unchanged: size }, 0, 0],
  ] as const) {
    Object.assign(metered, { calls: 0, rowsRead: 0, rowsWritten: 0 });
    const before = reduced === 0 ? 0 : size;
    const report = await client.products.sync(catalogue(reduced), { match: 'handle' });
    const { calls } = metered;
    expect({ ...report, calls, rowsWritten: metered.rowsWritten }).toMatchObject({
      ...counts,
      calls: callsToList(before) + pushes,
      rowsWritten,
    });
    // The brand once, and three times for each push; twelve rows for each product that is pushed, and twenty for the rest.
    const pushed = pushes === 0 ? 0 : 3 * size * pushes + 12 * size;
    expect(metered.rowsRead).toBeLessThanOrEqual(before + pushed + 20 * calls);
  }
});

it('A night of the command costs two calls more, with --record, and asks the store nothing twice', async () => {
  const size = 1100;
  const brand = await TestBrand.create();
  const metered = meter();
  const service = meteredFetch(metered);
  const command = commandOf({ apiKey: brand.issued.apiKey, baseUrl: SERVICE });
  const store = woocommerceAt('https://shop.example');
  store.products = Array.from({ length: size }, (_, n) => product(n + 1));
  for (const [counts, calls, rowsWritten] of [
    [{ created: size }, callsToList(0) + pushesOf(size), 3 * size + pushesOf(size)],
    [{ unchanged: size }, callsToList(size), 0],
  ] as const) {
    Object.assign(metered, { calls: 0, rowsRead: 0, rowsWritten: 0 });
    store.asked.length = 0;
    const { stdout, stderr } = await command(
      ['sync', '--from', 'woocommerce', '--delete', '--record', '--json'],
      {
        env: store.env,
        fetch: (input, init) =>
          new Request(input).url.startsWith(SERVICE)
            ? service(input, init)
            : store.fetch(input, init),
      },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject(counts);
    // The profile is read, and written with the tag that it had: two calls, and one row.
    expect([metered.calls, metered.rowsWritten]).toEqual([calls + 2, rowsWritten + 1]);
    // The currency, and each page of a hundred.
    expect(store.asked).toHaveLength(1 + size / 100);
    // Each product once. A reading of the list is four rows more, and the two calls for the profile eight.
    if (rowsWritten === 0) expect(metered.rowsRead).toBe(size + 4 * calls + 8);
  }
});
