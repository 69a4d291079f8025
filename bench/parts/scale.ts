import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { median } from 'simple-statistics';
import * as z from 'zod';
import { SERVICE } from '../bundle.ts';
import { cpuMicroseconds, memory } from '../cpu.ts';
import type { BrandData } from '../data.ts';
import { inBatches, makeBrand, product, storeProductId } from '../data.ts';
import type { Call } from '../http.ts';
import { ask, counted, drain, get, patch, post, PRODUCTS, send, times } from '../http.ts';
import type { Outcome, Row } from '../report.ts';
import { log } from '../report.ts';
import type { Served, Servers } from '../servers.ts';
import { serve } from '../servers.ts';

// The same operations on databases of different sizes. A flat operation must read and write the same number of rows in
// all of them. The others read the brand's rows, or the rows that they return.

/** The number of brands, and of products and coupon codes per brand. */
const SIZES = [...[1000, 10_000, 100_000].map((products) => [1, products]), [1000, 100]];
const QUICK_SIZES = [...[1000, 2000].map((products) => [1, products]), [3, 200]];

const CODES = '/api/brand/v1/coupon-codes';
const PAGE = `${PRODUCTS}?limit=50`;
/** The number of products that are changed last. */
const RECENT = 5;

/** The brand that is measured. */
interface Target extends BrandData {
  /** The time after which the recent products were changed. */
  readonly recentSince: string;
}

type ToCall = (target: Target, number: number) => Call;
type Operation = readonly [name: string, promise: 'flat' | 'grows', call: ToCall];

const last = ({ ids }: Target): number => ids.length - 1;
let changes = 0;

const OPERATIONS: readonly Operation[] = [
  ['get one', 'flat', ({ ids }, number) => get(`${PRODUCTS}/${ids[number % ids.length] ?? ''}`)],
  ['page of 50', 'flat', () => get(PAGE)],
  [
    'by storeProductId',
    'flat',
    (all) => get(`${PAGE}&storeProductId=${storeProductId(last(all))}`),
  ],
  ['coupon code by code', 'flat', (all) => get(`${CODES}?limit=50&code=CODE-${last(all)}`)],
  // Changes only recent products, because the filter by time of change needs the others unchanged.
  [
    'patch',
    'flat',
    ({ ids }) => patch(`${PRODUCTS}/${ids.at(-RECENT) ?? ''}`, { priceCents: ++changes }),
  ],
  ['by sku', 'grows', (all) => get(`${PAGE}&sku=WPI-${last(all)}`)],
  ['by updatedSince', 'grows', ({ recentSince }) => get(`${PAGE}&updatedSince=${recentSince}`)],
  ['complete list', 'grows', () => get(PRODUCTS)],
  // Last, so that the other operations do not find its products.
  ['create', 'flat', (_, number) => post(PRODUCTS, product(1_000_000 + number))],
];

/** Measures all operations on all databases. */
export async function scale(quick: boolean): Promise<Outcome> {
  // Tables with one row per operation and one column per size.
  const head = (): Row[] => OPERATIONS.map(([operation, promise]) => ({ operation, promise }));
  let [d1Rows, cpus] = [head(), head()];
  const lists: Row[] = [];
  for (const [brands = 0, products = 0] of quick ? QUICK_SIZES : SIZES) {
    const size = `${brands > 1 ? `${brands.toLocaleString('en')} × ` : ''}${products.toLocaleString('en')}`;
    await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-scale-'));
    const target = await fill(folder.path, brands, products);
    log(`filled ${size} products`);
    const [list, costs] = await measure(folder.path, target, quick ? 1 : 5);
    lists.push({ products: size, ...list });
    d1Rows = d1Rows.map((row, index) => ({ ...row, [size]: costs[index]?.[0] ?? '' }));
    cpus = cpus.map((row, index) => ({ ...row, [size]: costs[index]?.[1] ?? '' }));
  }
  const wrong = d1Rows.flatMap(({ operation, promise, ...sizes }) =>
    promise === 'flat' && new Set(Object.values(sizes)).size > 1
      ? [`${operation ?? ''} is promised flat, but: ${Object.values(sizes).join('; ')}.`]
      : [],
  );
  const tables = [
    { title: 'D1 calls: rows read + rows written, by products', rows: d1Rows },
    { title: 'CPU ms of a request, by products', rows: cpus },
    { title: 'The complete list of a brand', rows: lists },
  ];
  return { tables, wrong };
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

type Measured = readonly [list: Row, costs: readonly (readonly [rows: string, cpu: number])[]];

/** Measures the complete list, and the rows and the CPU time of every operation. */
async function measure(folder: string, target: Target, rounds: number): Promise<Measured> {
  // Only a distant Worker counts its calls.
  await using servers = await serve([SERVICE], 1, folder);
  const { port, distantPort } = serviceOf(servers);
  const list = await measureList(port, servers.pid, target.apiKey);
  const costs = [];
  for (const [, promise, call] of OPERATIONS) {
    const cpu: number[] = [];
    // Operations that read all of a large brand take long.
    const amount = promise === 'flat' ? 60 : 6;
    for (let round = 0; round <= rounds; round++) {
      const before = await cpuMicroseconds(servers.pid);
      await times(port, target.apiKey, { amount, connections: 1 }, (number) =>
        call(target, number),
      );
      // The first run is a warm-up.
      if (round > 0) cpu.push(((await cpuMicroseconds(servers.pid)) - before) / 1000 / amount);
    }
    const d1 = await counted(distantPort, () =>
      times(distantPort, target.apiKey, { amount: 1, connections: 1 }, () => call(target, 0)),
    );
    const written = d1.rowsWritten > 0 ? ` + ${d1.rowsWritten}` : '';
    const rows = `${d1.calls}: ${d1.rowsRead.toLocaleString('en')}${written}`;
    costs.push([rows, median(cpu)] as const);
  }
  return [list, costs];
}

/** Measures the first complete list of a process: its memory before, and the memory that the list added. */
async function measureList(port: number, pid: number, apiKey: string): Promise<Row> {
  const [before, start] = [await memory(pid), performance.now()];
  const response = await send(port, apiKey, get(PRODUCTS));
  const firstByte = performance.now() - start;
  const MB = (await drain(response)) / 1e6;
  const times = { 'first byte ms': firstByte, 'last byte ms': performance.now() - start };
  const added = (await memory(pid, 'VmHWM')) - before;
  return { MB, ...times, 'memory before MiB': Math.round(before), 'added MiB': added };
}
