import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { SERVICE } from '../bundle.ts';
import type { BrandData } from '../data.ts';
import { inBatches, makeBrand, product, storeProductId } from '../data.ts';
import type { Call } from '../http.ts';
import { ask, counted, drain, get, patch, post, PRODUCTS, send } from '../http.ts';
import type { Outcome, Row } from '../report.ts';
import { log } from '../report.ts';
import type { Served, Servers } from '../servers.ts';
import { serve } from '../servers.ts';

// The same operations on databases of different sizes. A flat operation must read and write the same number of rows in
// all of them. The others read the brand's rows, or the rows that they return.

/** The number of brands, and of products and coupon codes per brand. */
const SIZES = [
  [1, 1000],
  [1, 10_000],
  [1, 100_000],
  [1000, 100],
];
const QUICK_SIZES = [
  [1, 1000],
  [1, 2000],
  [3, 200],
];

const CODES = '/api/brand/v1/coupon-codes';
const PAGE = `${PRODUCTS}?limit=50`;
/** The number of products that are changed last. */
const RECENT = 5;

/** The brand that is measured. */
interface Target extends BrandData {
  /** The time after which the recent products were changed. */
  readonly recentSince: string;
}

type ToCall = (target: Target) => Call;
type Operation = readonly [name: string, promise: 'flat' | 'grows', call: ToCall];

const last = ({ ids }: Target): number => ids.length - 1;

const OPERATIONS: readonly Operation[] = [
  ['get one', 'flat', ({ ids }) => get(`${PRODUCTS}/${ids[0] ?? ''}`)],
  ['page of 50', 'flat', () => get(PAGE)],
  [
    'by storeProductId',
    'flat',
    (all) => get(`${PAGE}&storeProductId=${storeProductId(last(all))}`),
  ],
  ['coupon code by code', 'flat', (all) => get(`${CODES}?limit=50&code=CODE-${last(all)}`)],
  // Changes only recent products, because the filter by time of change needs the others unchanged.
  ['patch', 'flat', ({ ids }) => patch(`${PRODUCTS}/${ids.at(-RECENT) ?? ''}`, { priceCents: 1 })],
  ['by sku', 'grows', (all) => get(`${PAGE}&sku=WPI-${last(all)}`)],
  ['by updatedSince', 'grows', ({ recentSince }) => get(`${PAGE}&updatedSince=${recentSince}`)],
  ['complete list', 'grows', () => get(PRODUCTS)],
  // Last, so that the other operations do not find its products.
  ['create', 'flat', () => post(PRODUCTS, product(1_000_000))],
];

/** Counts the calls and rows of all operations on all databases. */
export async function scale(quick: boolean): Promise<Outcome> {
  // One row per operation and one column per size.
  let rows: Row[] = OPERATIONS.map(([operation, promise]) => ({ operation, promise }));
  for (const [brands = 0, products = 0] of quick ? QUICK_SIZES : SIZES) {
    const size = `${brands > 1 ? `${brands.toLocaleString('en')} × ` : ''}${products.toLocaleString('en')}`;
    await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-scale-'));
    const target = await fill(folder.path, brands, products);
    log(`filled ${size} products`);
    const costs = await count(folder.path, target);
    rows = rows.map((row, index) => ({ ...row, [size]: costs[index] ?? '' }));
  }
  const wrong = rows.flatMap(({ operation, promise, ...sizes }) =>
    promise === 'flat' && new Set(Object.values(sizes)).size > 1
      ? [`${operation ?? ''} is promised flat, but: ${Object.values(sizes).join('; ')}.`]
      : [],
  );
  return { tables: [{ title: 'D1 calls: rows read + rows written, by products', rows }], wrong };
}

function serviceOf({ served: [service] }: Servers): Served {
  if (service === undefined) throw new Error('Nothing is served.');
  return service;
}

/** Fills a database and returns the brand in its middle. */
async function fill(folder: string, brands: number, products: number): Promise<Target> {
  await using servers = await serve([SERVICE], 0, folder);
  const service = serviceOf(servers);
  const write = (apiKey: string, call: Call): Promise<unknown> =>
    ask(service.port, apiKey, call, z.unknown());
  const made: BrandData[] = [];
  // One brand more, so that rows of another brand follow those of every measured brand.
  for (let count = 0; count <= brands; count++) {
    const brand = await makeBrand(service, count < brands ? products : 100);
    made.push(brand);
    const codes = brand.ids.map((_, index) => ({ code: `CODE-${index}`, discountPercent: 10 }));
    for (const couponCodes of inBatches(codes)) {
      await write(brand.apiKey, post(CODES, { couponCodes }));
    }
  }
  const target = made[Math.floor(brands / 2)];
  if (target === undefined) throw new Error('There is no brand.');
  await setTimeout(5);
  const recentSince = new Date().toISOString();
  for (const id of target.ids.slice(-RECENT)) {
    await write(target.apiKey, patch(`${PRODUCTS}/${id}`, { sourceUpdatedAt: recentSince }));
  }
  return { ...target, recentSince };
}

/** Returns the calls to D1 of each operation, and the rows that they read and write. */
async function count(folder: string, target: Target): Promise<readonly string[]> {
  // Only a distant Worker counts its calls.
  await using servers = await serve([SERVICE], 1, folder);
  const { distantPort } = serviceOf(servers);
  const costs: string[] = [];
  for (const [, , call] of OPERATIONS) {
    const d1 = await counted(distantPort, async () =>
      drain(await send(distantPort, target.apiKey, call(target))),
    );
    const written = d1.rowsWritten > 0 ? ` + ${d1.rowsWritten}` : '';
    costs.push(`${d1.calls}: ${d1.rowsRead.toLocaleString('en')}${written}`);
  }
  return costs;
}
