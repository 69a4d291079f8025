import { median, shuffle } from 'simple-statistics';
import type { BrandData } from '../data.ts';
import { makeBrand, product } from '../data.ts';
import type { Call } from '../http.ts';
import { counted, get, patch, post, PRODUCTS, times } from '../http.ts';
import { cpuMicroseconds } from '../process.ts';
import type { Outcome } from '../report.ts';
import { log } from '../report.ts';
import type { Served } from '../servers.ts';
import { OTHERS, serve, SERVICE } from '../servers.ts';

// Four designs of the same service in one workerd, each with the same data, called in turn.

/** The added latency of each call to D1, in milliseconds. */
const DISTANCE = 30;
const CONNECTIONS = 4;

type ToCall = (ids: readonly string[], number: number) => Call;
type Operation = readonly [name: string, requestsOfARound: number, call: ToCall];

let changes = 0;

const one = (ids: readonly string[], number: number): string =>
  `${PRODUCTS}/${ids[(number * 37) % ids.length] ?? ''}`;
const change = (): unknown => ({ priceCents: ++changes, storeInventoryQuantity: changes % 500 });

const OPERATIONS: readonly Operation[] = [
  ['get one', 800, (ids, number) => get(one(ids, number))],
  ['list 50', 300, () => get(`${PRODUCTS}?limit=50`)],
  ['create', 400, (_, number) => post(PRODUCTS, product(1_000_000 + number))],
  ['patch', 500, (ids, number) => patch(one(ids, number), change())],
  ['list all', 30, () => get(PRODUCTS)],
];

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
interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly cpu: number;
  readonly distantP50: number;
}

/** An operation of one design. */
interface Entry extends Served {
  readonly operation: string;
  readonly amount: number;
  readonly apiKey: string;
  readonly call: (number: number) => Call;
  readonly rounds: Figures[];
}

/** Measures all operations of all designs. */
export async function sideBySide(quick: boolean): Promise<Outcome> {
  // The first rounds do not count, because the JavaScript engine is still compiling.
  const [rounds, warmUp, products, share] = quick ? [1, 0, 60, 0.04] : [15, 3, 1000, 1];
  await using servers = await serve([SERVICE, ...OTHERS], { distance: DISTANCE });
  const groups: Entry[][] = OPERATIONS.map(() => []);
  for (const { name } of [SERVICE, ...OTHERS]) {
    const served = await servers.served(name);
    // One brand to read and one to write, so that the data to read does not grow.
    const [read, written] = [await makeBrand(served, products), await makeBrand(served, products)];
    for (const [index, [operation, requests, call]] of OPERATIONS.entries()) {
      const { apiKey, ids }: BrandData = call([], 0).method === 'GET' ? read : written;
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
        const figures = await measure(servers.pid, entry);
        if (round > 0) entry.rounds.push(figures);
      }
    }
    log(round > 0 ? `round ${round} of ${rounds}` : 'warming up');
  }
  const rows = [];
  for (const group of groups) {
    const bare = group.find(({ name }) => name === 'bare')?.rounds ?? [];
    for (const { operation, name, distantPort, apiKey, call, rounds: own } of group) {
      const d1 = await counted(distantPort, () =>
        times(distantPort, apiKey, { amount: 1, connections: 1 }, call),
      );
      const of = (figure: keyof Figures): number => median(own.map((round) => round[figure]));
      rows.push({
        ...{ operation, contestant: name, 'req/s': Math.round(of('perSecond')) },
        ...{ 'p50 ms': of('p50'), 'CPU ms': of('cpu') },
        // Compared within a round, because the machine's other load differs between rounds.
        '× bare': median(own.map(({ cpu }, round) => cpu / (bare[round]?.cpu ?? NaN))),
        [`p50 at ${DISTANCE} ms`]: of('distantP50'),
        ...{ 'D1 calls': d1.calls, 'rows read': d1.rowsRead, 'rows written': d1.rowsWritten },
      });
    }
  }
  return { tables: [{ title: `${products.toLocaleString('en')} products`, rows }], wrong: [] };
}

async function measure(pid: number, entry: Entry): Promise<Figures> {
  const { port, distantPort, apiKey, amount, call } = entry;
  const [start, before] = [performance.now(), await cpuMicroseconds(pid)];
  const took = await times(port, apiKey, { amount, connections: CONNECTIONS }, call);
  const elapsed = performance.now() - start;
  const cpu = ((await cpuMicroseconds(pid)) - before) / 1000 / amount;
  // One after the other: concurrent requests would wait for each other instead of D1.
  const far = { amount: Math.min(amount, 12), connections: 1 };
  const distantP50 = median(await times(distantPort, apiKey, far, call));
  return { perSecond: (amount / elapsed) * 1000, p50: median(took), cpu, distantP50 };
}
