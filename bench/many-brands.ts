import { median, quantile, shuffle } from 'simple-statistics';
import type { BrandData } from './data.ts';
import { inBatches, makeBrand } from './data.ts';
import type { Call } from './http.ts';
import { get, loop, patch, PRODUCTS, RefusedError } from './http.ts';
import { log } from './report.ts';
import type { Served } from './servers.ts';
import { serve, SERVICE } from './servers.ts';
import type { Row } from './table.ts';

// The same requests to brands in one database, and to brands over four.

/** How long a call occupies its database in the second measurement, in milliseconds. */
const BUSY = 20;
const CONNECTIONS = 16;
const PRODUCTS_OF_EACH = 10;
/** One database with all brands, and four with a quarter each. */
const ONE = [0];
const FOUR = [1, 2, 3, 4];

/** Measures the throughput of many brands over four databases, against one. */
export async function manyBrands(brands: number, rounds: number, requests: number): Promise<Row[]> {
  await using servers = await serve([{ ...SERVICE, databases: 5 }], {
    ...{ distance: BUSY, isInTurn: true },
  });
  const served = await servers.served(SERVICE.name);
  const sets = [await fill(served, ONE, brands), await fill(served, FOUR, brands)];
  const { port, distantPort } = served;
  const rows = [];
  for (const [title, target, amount] of [
    ['as the local D1 is', port, requests],
    [`each call occupies its database for ${BUSY} ms`, distantPort, Math.ceil(requests / 8)],
  ] as const) {
    const figures: number[][] = [[], []];
    for (let round = -1; round < rounds; round++) {
      for (const n of shuffle([0, 1])) {
        const perSecond = await throughput(target, sets[n] ?? [], amount);
        if (round >= 0) figures[n]?.push(perSecond);
      }
      log(`many brands, ${title}: round ${round + 1} of ${rounds}`);
    }
    const [one = [], four = []] = figures;
    const ratios = four.map((perSecond, round) => perSecond / (one[round] ?? NaN));
    rows.push({
      ...{ databases: title, 'req/s, one': Math.round(median(one)) },
      'req/s, four': Math.round(median(four)),
      ratio: median(ratios),
      quartiles: `${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}`,
    });
  }
  return rows;
}

/** Creates brands, each in the next of the databases. */
async function fill(
  served: Served,
  databases: readonly number[],
  brands: number,
): Promise<BrandData[]> {
  const all: BrandData[] = [];
  for (const some of inBatches(
    Array.from({ length: brands }, (_, n) => n),
    8,
  )) {
    all.push(
      ...(await Promise.all(
        some.map((n) => {
          const execute = served.databases[databases[n % databases.length] ?? 0] ?? served.execute;
          return makeBrand({ ...served, execute }, PRODUCTS_OF_EACH);
        }),
      )),
    );
  }
  return all;
}

/** Returns the requests a second: each to the next brand, six of ten read one product, two a page, and two change one. */
async function throughput(
  port: number,
  brands: readonly BrandData[],
  amount: number,
): Promise<number> {
  const refused: string[] = [];
  let sent = 0;
  const next = (): readonly [string, Call] => {
    const n = sent++;
    const { apiKey = '', ids = [] } = brands[(n * 37) % brands.length] ?? {};
    const path = `${PRODUCTS}/${ids[n % ids.length] ?? ''}`;
    const kind = n % 10;
    const call =
      kind < 6
        ? get(path)
        : kind < 8
          ? get(`${PRODUCTS}?limit=50`)
          : patch(path, { priceCents: n });
    return [apiKey, call];
  };
  const start = performance.now();
  await loop(port, { connections: CONNECTIONS, amount }, [
    {
      call: next,
      answered: ({ status, text }) => {
        if (status !== 200) refused.push(`${status} ${text}`);
      },
    },
  ]);
  if (refused.length > 0) throw new RefusedError(refused[0]);
  return (amount / (performance.now() - start)) * 1000;
}
