import { median, quantile, shuffle } from 'simple-statistics';
import type { Contestant } from '../bundle.ts';
import { BARE, SERVICE, sizes, startUp, USUAL } from '../bundle.ts';
import { cpuMicroseconds } from '../cpu.ts';
import { makeBrand, product } from '../data.ts';
import type { Call } from '../http.ts';
import { counted, get, patch, post, PRODUCTS, times } from '../http.ts';
import type { Picture } from '../picture.ts';
import type { Outcome, Row } from '../report.ts';
import { log, rounded } from '../report.ts';
import type { Served } from '../servers.ts';
import { serve } from '../servers.ts';

// Three designs in one workerd, each with the same data, called in turn.

const CONTESTANTS: readonly Contestant[] = [SERVICE, BARE, USUAL];
const CONNECTIONS = 4;
/** The added latency of each call to D1, in milliseconds. */
const DISTANCE = 30;

type ToCall = (ids: readonly string[], number: number) => Call;

const one = (ids: readonly string[], number: number): string =>
  `${PRODUCTS}/${ids[(number * 37) % ids.length] ?? ''}`;
let changes = 0;
const change = (): unknown => ({ priceCents: ++changes, storeInventoryQuantity: changes % 500 });

/** The operations, with the requests of a round. */
const OPERATIONS: readonly (readonly [name: string, amount: number, call: ToCall])[] = [
  ['read', 800, (ids, number) => get(one(ids, number))],
  ['list 50', 300, () => get(`${PRODUCTS}?limit=50`)],
  ['create', 400, (_, number) => post(PRODUCTS, product(1_000_000 + number))],
  ['patch', 500, (ids, number) => patch(one(ids, number), change())],
];

interface Entry extends Served {
  readonly operation: string;
  readonly amount: number;
  readonly apiKey: string;
  readonly call: (number: number) => Call;
  /** The CPU milliseconds of a request, by round. */
  readonly cpu: number[];
}

interface Size {
  readonly rounds: number;
  /** Rounds that do not count, because the JavaScript engine is still compiling. */
  readonly warmUp: number;
  readonly products: number;
  /** The share of each operation's requests that a round sends. */
  readonly share: number;
  readonly starts: number;
}

const FULL: Size = { rounds: 20, warmUp: 3, products: 1000, share: 1, starts: 5 };
const QUICK: Size = { rounds: 1, warmUp: 0, products: 60, share: 0.04, starts: 1 };

/** Measures the CPU, the latency with distance, the size and the start-up of three designs of the same service. */
export async function sideBySide(quick: boolean): Promise<Outcome> {
  const size = quick ? QUICK : FULL;
  const [requests, bundles]: [Row[], Row[]] = [[], []];
  {
    await using servers = await serve(CONTESTANTS, DISTANCE);
    const groups = await entries(servers.served, size);
    for (let round = 1 - size.warmUp; round <= size.rounds; round++) {
      for (const group of groups) {
        // In another order each time, so that a design's garbage does not always affect the same one.
        for (const entry of shuffle(group)) {
          const cpu = await cpuOf(servers.pid, entry);
          if (round > 0) entry.cpu.push(cpu);
        }
      }
      log(round > 0 ? `round ${round} of ${size.rounds}` : 'warming up');
    }
    for (const group of groups) {
      for (const entry of group) requests.push(await compared(entry, group, quick));
    }
    for (const { name, code } of servers.served) bundles.push({ Worker: name, ...sizes(code) });
  }
  const started: Row[] = [];
  for (const [index, contestant] of CONTESTANTS.entries()) {
    log(`start-up of ${contestant.name}`);
    const milliseconds = await startUp(contestant, size.starts);
    started.push({ ...bundles[index], 'start-up ms': milliseconds });
  }
  const tables = [
    { title: `${size.products.toLocaleString('en')} products`, rows: requests },
    { title: 'Size and start-up', rows: started },
  ];
  return {
    tables,
    pictures: pictures(requests),
    highlights: highlights(requests, started),
    wrong: [],
  };
}

/** Creates the brands, and returns what to measure, grouped by operation. */
async function entries(
  served: readonly Served[],
  { products, share }: Size,
): Promise<readonly Entry[][]> {
  const groups: Entry[][] = OPERATIONS.map(() => []);
  for (const one of served) {
    // One brand to read and one to write, so that the data to read does not grow.
    const toRead = await makeBrand(one, products);
    const toWrite = await makeBrand(one, products);
    for (const [index, [operation, requests, call]] of OPERATIONS.entries()) {
      const { apiKey, ids } = call(toRead.ids, 0).method === 'GET' ? toRead : toWrite;
      groups[index]?.push({
        ...one,
        operation,
        apiKey,
        cpu: [],
        amount: Math.max(CONNECTIONS, Math.round(requests * share)),
        call: (number) => call(ids, number),
      });
    }
  }
  return groups;
}

async function cpuOf(pid: number, { port, apiKey, amount, call }: Entry): Promise<number> {
  const before = await cpuMicroseconds(pid);
  await times(port, apiKey, { amount, connections: CONNECTIONS }, call);
  return ((await cpuMicroseconds(pid)) - before) / 1000 / amount;
}

/**
 * Returns the figures of an operation of one design. The ratios to `bare` are formed within a round, because the
 * machine's other load differs between rounds.
 */
async function compared(entry: Entry, group: readonly Entry[], quick: boolean): Promise<Row> {
  const { operation, name, distantPort, apiKey, call, cpu } = entry;
  const bare = group.find((other) => other.name === BARE.name)?.cpu ?? [];
  const ratios = cpu.map((milliseconds, round) => milliseconds / (bare[round] ?? NaN));
  const [low, high] = [quantile(ratios, 0.25), quantile(ratios, 0.75)];
  // One after the other: concurrent requests would wait for each other instead of D1.
  const send = (amount: number): Promise<number[]> =>
    times(distantPort, apiKey, { amount, connections: 1 }, call);
  const latency = median(await send(quick ? 1 : 30));
  const d1 = await counted(distantPort, () => send(1));
  return {
    operation,
    design: name,
    'CPU ms': median(cpu),
    '× bare': median(ratios).toFixed(2),
    quartiles: `${low.toFixed(2)} to ${high.toFixed(2)}`,
    [`ms at ${DISTANCE} ms`]: latency,
    'D1 calls': d1.calls,
    'rows read': d1.rowsRead,
    'rows written': d1.rowsWritten,
  };
}

export function pictures(requests: readonly Row[]): Picture[] {
  const bars = (column: string): Picture['bars'] =>
    requests.map((row) => [
      `${row['operation'] ?? ''}: ${row['design'] ?? ''}`,
      Number(row[column]),
    ]);
  const far = `ms at ${DISTANCE} ms`;
  return [
    { title: `Latency, each call to D1 ${DISTANCE} ms away`, axis: 'ms', bars: bars(far) },
    { title: 'CPU of a request', axis: 'ms', bars: bars('CPU ms') },
  ];
}

function highlights(requests: readonly Row[], bundles: readonly Row[]): string[] {
  const figure = (rows: readonly Row[], name: string, column: string): string => {
    const value = rows.find((row) => [row['design'], row['Worker']].includes(name))?.[column] ?? '';
    return typeof value === 'number' ? rounded(value) : value;
  };
  const read = (name: string, column: string): string => figure(requests, name, column);
  const ratios = (name: string): string => {
    const all = requests
      .filter((row) => row['design'] === name)
      .map((row) => Number(row['× bare']));
    return `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`;
  };
  const size = (name: string): number => Number(figure(bundles, name, 'KiB in gzip'));
  const larger = size('service') - size('usual');
  const far = `ms at ${DISTANCE} ms`;
  return [
    `**${read('service', far)} ms** to read a product, in the median, if the database is ${DISTANCE} ms away. The usual design, which looks the key up first, takes ${read('usual', far)} ms.`,
    `**${ratios('service')} times** the CPU of a Worker written by hand without a framework, depending on the operation. The usual design takes ${ratios('usual')} times as much.`,
    `**${size('service')} KiB** of code in gzip, ${Math.abs(larger).toFixed(1)} KiB ${larger < 0 ? 'less' : 'more'} than the usual design.`,
  ];
}
