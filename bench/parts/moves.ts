import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { median, quantile } from 'simple-statistics';
import type { Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import type { BrandData } from '../data.ts';
import { makeBrand } from '../data.ts';
import { counted, get, patch, post, PRODUCTS, send } from '../http.ts';
import type { Moved, Span } from '../moving.ts';
import { Load, move } from '../moving.ts';
import { manyBrands } from '../many-brands.ts';
import { issueKey } from '../../tools/admin/keys.ts';
import type { Outcome } from '../report.ts';
import { log } from '../report.ts';
import type { Served } from '../servers.ts';
import { serve, SERVICE } from '../servers.ts';
import type { Row } from '../table.ts';

// A brand moves between two databases while its clients write and follow, and a neighbour works in each database.

const CODES = '/api/brand/v1/coupon-codes';
/** The added latency of the distant mover's calls to D1, in milliseconds. */
const DISTANCE = 20;
/** What happens during moves: writes a second, and whether D1 is far from the mover. */
const LOADS = [
  { load: 0, isDistant: false },
  { load: 2, isDistant: false },
  { load: 50, isDistant: false },
  { load: 2, isDistant: true },
  { load: 50, isDistant: true },
];
/** How long a neighbour waits between two requests, in milliseconds. */
const PAUSE = 20;

const SEVERAL = { ...SERVICE, databases: 4 };

/** A request of a neighbour. */
interface Sample {
  readonly database: number;
  readonly method: string;
  readonly at: number;
  readonly milliseconds: number;
}

/** Measures moves. */
export async function moves(quick: boolean): Promise<Outcome> {
  const [rounds, products, codes] = quick ? [1, 600, 100] : [1, 10_000, 1000];
  const [brands, shares, requests] = quick
    ? [8, 1, 160]
    : process.env['ROUNDS']
      ? [8, 1, 160]
      : [1000, 5, 1500];
  const [rows, calls] = await measureMoves(rounds, products, codes);
  const title = `A brand of ${products.toLocaleString('en')} products and ${codes.toLocaleString('en')} coupon codes`;
  return {
    tables: [
      { title, rows: rows.map(({ row }) => row) },
      { title: 'Calls to D1 of a read, by key', rows: calls },
      {
        title: `${brands.toLocaleString('en')} brands in one database, and over four`,
        rows: await manyBrands(brands, shares, requests),
      },
    ],
    wrong: rows.flatMap(({ wrong }) => wrong),
  };
}

async function measureMoves(
  rounds: number,
  products: number,
  codes: number,
): Promise<[Judged[], Row[]]> {
  await using servers = await serve([SEVERAL], { distance: DISTANCE });
  const served = await servers.served(SEVERAL.name);
  const calls = await callsByKey(served);
  const brand = await makeBrand(served, products);
  await makeCodes(served, brand, codes);
  const neighbours = await Promise.all(
    [0, 1].map((database) => makeBrand(inDatabase(served, database), 100)),
  );
  const stop = new AbortController();
  const samples: Sample[] = [];
  const follower = new Following(served, brand);
  const background = Promise.all([
    ...neighbours.map((one, database) => sample(served, one, database, samples, stop.signal)),
    follower.run(stop.signal),
  ]);
  // It is awaited at the end.
  background.catch(() => undefined);
  const measured = LOADS.map((one): Measured => ({
    ...{ ...one, writers: [], moves: [] },
    neighbour: { p50: [], p95: [] },
  }));
  for (let round = 1; round <= rounds; round++) {
    for (const one of measured) await measure(served, brand, one, samples);
    log(`round ${round} of ${rounds}`);
  }
  stop.abort();
  await background;
  const rows = measured.map(judge);
  const times = median(measured.flatMap(({ neighbour }) => neighbour.p50));
  if (times > 1.1) rows[0]?.wrong.push(`The neighbour took ${times.toFixed(2)} times as long.`);
  log(`The neighbour took ${times.toFixed(3)} times as long.`);
  if (!(await follower.isEqual())) rows[0]?.wrong.push('The follower lacks changes.');
  return [rows, calls];
}

/** Counts the calls of a read with keys that a brand got before its first move, before its second, and after it. */
async function callsByKey(served: Served): Promise<Row[]> {
  const { brandId, apiKey } = await makeBrand(served, 1);
  const keys = [{ key: 'issued two moves ago', apiKey }];
  for (const [to, key] of [
    [1, 'issued before the last move'],
    [2, 'issued since'],
  ] as const) {
    await move(served.moverPorts[0], brandId, [to - 1, to]);
    const { execute } = inDatabase(served, to);
    keys.push({ key, ...(await issueKey(execute, brandId, {})) });
  }
  const rows = [];
  for (const { key, apiKey } of keys) {
    const read = async (): Promise<void> => {
      await (await send(served.distantPort, apiKey, get(PRODUCTS))).text();
    };
    rows.push({ key, calls: (await counted(served.distantPort, read)).calls });
  }
  return rows;
}

/** What was measured with one load. */
interface Measured {
  readonly load: number;
  readonly isDistant: boolean;
  readonly writers: Load[];
  readonly moves: Moved[];
  /** The latency of a neighbour during each move, as a multiple of that while the mover is stopped. */
  readonly neighbour: { readonly p50: number[]; readonly p95: number[] };
}

/** Moves the brand onward and back. */
async function measure(
  served: Served,
  brand: BrandData,
  { load, isDistant, writers, moves, neighbour }: Measured,
  samples: readonly Sample[],
): Promise<void> {
  for (const way of [
    [0, 1],
    [1, 0],
  ] as const) {
    const stop = new AbortController();
    const writer = new Load(served, brand);
    const writing = load === 0 ? Promise.resolve() : writer.run(load, stop.signal);
    const moved = await move(served.moverPorts[isDistant ? 1 : 0], brand.brandId, way);
    stop.abort();
    await writing;
    writers.push(writer);
    moves.push(moved);
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const) {
      const ratios = ['GET', 'PATCH'].map((method) => {
        const own = samples.filter((one) => one.database === moved.from && one.method === method);
        const latency = (spans: readonly Span[]): number =>
          quantile(
            own
              .filter(({ at }) => spans.some(([from, to]) => at >= from && at < to))
              .map(({ milliseconds }) => milliseconds),
            share,
          );
        return latency(moved.moving) / latency(moved.stopped);
      });
      neighbour[name].push(...ratios);
    }
    log(`${load} writes a second, database ${way.join(' to ')}: ${secondsOf(moved).toFixed(1)} s`);
  }
}

function secondsOf({ moving }: Moved): number {
  return moving.reduce((sum, [from, to]) => sum + (to - from) / 1000, 0);
}

/** A row of the table, and which goals were missed. */
interface Judged {
  readonly row: Row;
  readonly wrong: string[];
}

function judge({ load, isDistant, writers, moves, neighbour: { p50, p95 } }: Measured): Judged {
  const sum = (numbers: readonly number[]): number => numbers.reduce((one, next) => one + next, 0);
  const seconds = moves.map(secondsOf);
  const refused = sum(writers.map((writer) => writer.refused.length));
  const refusedFor = Math.max(...writers.map((writer) => writer.refusedFor)) / 1000;
  const wrong = [
    ...(Math.max(...seconds) > 60 ? ['A move took more than a minute.'] : []),
    ...(load === 2 && refused > 0
      ? [`${refused} requests were refused at 2 writes a second.`]
      : []),
    ...(refusedFor > 2 ? ['Writes were refused for more than 2 seconds.'] : []),
  ];
  return {
    row: {
      'writes/s': load,
      'ms to D1': isDistant ? DISTANCE : 0,
      moves: moves.length,
      'rows of a move': median(moves.map(({ rows }) => rows)),
      's per move': median(seconds),
      'failed commits': sum(moves.map(({ failedCommits }) => failedCommits)),
      writes: sum(writers.map((writer) => writer.writes)),
      refused,
      's of 503': refusedFor,
      'longest write ms': Math.round(Math.max(...writers.map(({ longest }) => longest))),
      'neighbour p50': median(p50),
      'neighbour p95': median(p95),
    },
    wrong,
  };
}

/** Reads and changes products of a neighbour until it is stopped. */
async function sample(
  { port }: Served,
  { apiKey, ids }: BrandData,
  database: number,
  samples: Sample[],
  stop: AbortSignal,
): Promise<void> {
  for (let n = 0; !stop.aborted; n++) {
    const path = `${PRODUCTS}/${ids[n % ids.length] ?? ''}`;
    const call = n % 2 === 0 ? get(path) : patch(path, { priceCents: n });
    const at = performance.now();
    const response = await send(port, apiKey, call);
    await response.text();
    samples.push({ database, method: call.method, at, milliseconds: performance.now() - at });
    await setTimeout(PAUSE);
  }
}

/** A client that keeps a copy of the products, with the tokens that it got before a move. */
class Following {
  readonly #copy = new Map<string, Product>();
  readonly #client: BrandClient;
  #since: string | undefined;

  constructor({ port }: Served, { apiKey }: BrandData) {
    this.#client = new BrandClient({ apiKey, baseUrl: `http://127.0.0.1:${port}` });
  }

  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.#poll();
      await setTimeout(500);
    }
  }

  async #poll(): Promise<void> {
    const { products } = this.#client;
    for await (const { changed, deleted, since } of products.changes({ since: this.#since })) {
      for (const product of changed) this.#copy.set(product.id, product);
      for (const id of deleted) this.#copy.delete(id);
      this.#since = since;
    }
  }

  async isEqual(): Promise<boolean> {
    await this.#poll();
    const now = new Map<string, Product>();
    for await (const product of this.#client.products.list()) now.set(product.id, product);
    return isDeepStrictEqual(now, this.#copy);
  }
}

/** The Worker with another of its databases as the one to fill. */
function inDatabase(served: Served, database: number): Served {
  return { ...served, execute: served.databases[database] ?? served.execute };
}

async function makeCodes(
  { fillingPort }: Served,
  { apiKey }: BrandData,
  count: number,
): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const couponCodes = Array.from({ length: Math.min(500, count - from) }, (_, n) => ({
      ...{ code: `CODE-${from + n}`, discountPercent: 10, description: 'Ten percent off.' },
    }));
    const response = await send(fillingPort, apiKey, post(CODES, { couponCodes }));
    if (!response.ok) throw new Error(await response.text());
    await response.text();
  }
}
