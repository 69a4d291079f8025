import { median, quantile, shuffle } from 'simple-statistics';
import type { BrandData } from '../data.ts';
import { makeBrand, product } from '../data.ts';
import type { Call } from '../http.ts';
import { get, patch, post, PRODUCTS, times } from '../http.ts';
import { cpuMicroseconds } from '../process.ts';
import { log } from '../report.ts';
import type { Contestant, Served } from '../servers.ts';
import { serve } from '../servers.ts';

// Several Workers in one workerd, each with the same data, called in turn.

const CONNECTIONS = 4;

type ToCall = (ids: readonly string[], number: number) => Call;
type Operation = readonly [name: string, requestsOfARound: number, call: ToCall];

let changes = 0;

const one = (ids: readonly string[], number: number): string =>
  `${PRODUCTS}/${ids[(number * 37) % ids.length] ?? ''}`;
const change = (): unknown => ({ priceCents: ++changes, storeInventoryQuantity: changes % 500 });

const getOne: ToCall = (ids, number) => get(one(ids, number));
const listPage: ToCall = () => get(`${PRODUCTS}?limit=50`);
const create: ToCall = (_, number) => post(PRODUCTS, product(1_000_000 + number));
const patchOne: ToCall = (ids, number) => patch(one(ids, number), change());
const listAll: ToCall = () => get(PRODUCTS);

/** The operations that every Worker has. */
export const OPERATIONS: readonly Operation[] = [
  ['get one', 800, getOne],
  ['list 50', 300, listPage],
  ['create', 400, create],
  ['patch', 500, patchOne],
];

/** The complete list, of which a round takes as long as of the others together. */
export const LIST_ALL: Operation = ['list all', 30, listAll];

/** Translates a call for chanfana, whose bodies have the names and values of columns. */
function ofChanfana({ method, path, body }: Call): Call {
  if (path === PRODUCTS && method === 'GET') return get(`${PRODUCTS}?per_page=1000`);
  const columns = Object.entries({ ...(body ?? {}) }).map(([name, value]: [string, unknown]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    Array.isArray(value) ? JSON.stringify(value) : typeof value === 'boolean' ? +value : value,
  ]);
  const renamed = path.replace('limit=', 'per_page=');
  return method === 'GET' ? get(renamed) : { method, path, body: Object.fromEntries(columns) };
}

/** The figures of one round; CPU in milliseconds per request. */
export interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly cpu: number;
  readonly distantP50: number;
}

/** An operation of one Worker. */
export interface Entry extends Served {
  readonly operation: string;
  readonly amount: number;
  readonly apiKey: string;
  readonly call: (number: number) => Call;
  readonly rounds: Figures[];
}

/** What to measure, and how long. */
export interface Race {
  readonly contestants: readonly Contestant[];
  readonly operations: readonly Operation[];
  readonly rounds: number;
  /** Rounds that do not count, because the JavaScript engine is still compiling. */
  readonly warmUp: number;
  /** The products of each brand. */
  readonly products: number;
  /** The share of each operation's requests that a round sends. */
  readonly share: number;
  /** The added latency of each call to D1 at the distant port, in milliseconds. */
  readonly distance: number;
}

/**
 * Measures all operations of all contestants in rounds, in which each has its turn.
 * @param read takes the entries, grouped by operation, while the Workers still run
 */
export async function race<T>(
  { contestants, operations, rounds, warmUp, products, share, distance }: Race,
  read: (groups: readonly (readonly Entry[])[]) => Promise<T>,
): Promise<T> {
  await using servers = await serve(contestants, { distance });
  const groups: Entry[][] = operations.map(() => []);
  for (const { name } of contestants) {
    const served = await servers.served(name);
    // One brand to read and one to write, so that the data to read does not grow.
    const [readBrand, written] = [
      await makeBrand(served, products),
      await makeBrand(served, products),
    ];
    for (const [index, [operation, requests, call]] of operations.entries()) {
      const { apiKey, ids }: BrandData = call([], 0).method === 'GET' ? readBrand : written;
      groups[index]?.push({
        ...{ ...served, operation, apiKey, rounds: [] },
        amount: Math.max(CONNECTIONS, Math.round(requests * share)),
        call: (number) => (name === 'chanfana' ? ofChanfana(call(ids, number)) : call(ids, number)),
      });
    }
  }
  for (let round = 1 - warmUp; round <= rounds; round++) {
    for (const group of groups) {
      // In another order each time, so that a design's garbage does not always affect the same one.
      for (const entry of shuffle(group)) {
        const figures = await measure(servers.pid, distance, entry);
        if (round > 0) entry.rounds.push(figures);
      }
    }
    log(round > 0 ? `round ${round} of ${rounds}` : 'warming up');
  }
  return await read(groups);
}

/**
 * Compares the CPU time of an operation with that of `bare`. The ratios are formed within a round, because the machine's
 * other load differs between rounds.
 * @returns the median of the ratios, and the quarters below and above which a quarter of them lies
 */
export function comparedWithBare(
  entry: Entry,
  group: readonly Entry[],
): Readonly<Record<'× bare' | 'quartiles', number | string>> {
  const bare = group.find(({ name }) => name === 'bare')?.rounds ?? [];
  const ratios = entry.rounds.map(({ cpu }, round) => cpu / (bare[round]?.cpu ?? NaN));
  const [low, high] = [quantile(ratios, 0.25), quantile(ratios, 0.75)];
  return { '× bare': median(ratios), quartiles: `${low.toFixed(2)} to ${high.toFixed(2)}` };
}

async function measure(pid: number, distance: number, entry: Entry): Promise<Figures> {
  const { port, distantPort, apiKey, amount, call } = entry;
  const [start, before] = [performance.now(), await cpuMicroseconds(pid)];
  const took = await times(port, apiKey, { amount, connections: CONNECTIONS }, call);
  const elapsed = performance.now() - start;
  const cpu = ((await cpuMicroseconds(pid)) - before) / 1000 / amount;
  // One after the other: concurrent requests would wait for each other instead of D1.
  const far = { amount: distance > 0 ? Math.min(amount, 12) : 1, connections: 1 };
  const distantP50 = median(await times(distantPort, apiKey, far, call));
  return { perSecond: (amount / elapsed) * 1000, p50: median(took), cpu, distantP50 };
}
