import type {
  DurabilityFigures,
  LoadFigures,
  ScaleFigures,
  SideBySideFigures,
  StartUpFigures,
} from './figures.ts';
import { MOST_GROWTH, MOST_HEAP_GROWTH } from './load/judge.ts';
import { DISTANCE, PRODUCTS } from './side-by-side/side-by-side.ts';

// The figures as tables: the same on the terminal and in the README.

/** A table, with what there is to say about it. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whole sentences. */
  readonly notes: readonly string[];
}

const NOISE =
  'On a machine that does other things as well, p99 tells more about those than about the service.';

const count = (value: number): string => Math.round(value).toLocaleString('en');
const ms = (value: number): string => (value < 100 ? value.toFixed(1) : count(value));
const cpu = (microseconds: number): string => ms(microseconds / 1000);
const mib = (value: number): string => (value < 10 ? value.toFixed(1) : count(value));

/** This service beside others. */
export function sideBySideTables(lines: SideBySideFigures): Table[] {
  return [
    {
      title: `Side by side, ${count(PRODUCTS)} products`,
      head: [
        ...['operation', 'contestant', 'req/s', 'p50 ms', 'p99 ms', 'CPU ms', '× bare'],
        ...[`p50 at ${DISTANCE} ms`, 'D1 calls', 'rows read', 'written'],
      ],
      rows: lines.map(({ operation, contestant, d1, ...line }) => [
        ...[operation, contestant, count(line.requestsPerSecond), ms(line.p50), ms(line.p99)],
        ...[cpu(line.cpu), line.cpuToBare.toFixed(2), ms(line.distantP50)],
        ...[count(d1.calls), count(d1.rowsRead), count(d1.rowsWritten)],
      ]),
      notes: [
        `Medians of rounds in which all have their turns. CPU is that of the whole workerd, D1 included. “p50 at ${DISTANCE} ms” is with so long a way to D1 for each call.`,
        NOISE,
      ],
    },
  ];
}

/** How large Workers are, and what their starts take. */
export function startUpTables({ rounds, workers }: StartUpFigures): Table[] {
  return [
    {
      title: 'Size and start-up',
      head: ['Worker', 'KB', 'KB in gzip', 'active ms', 'sampled ms'],
      rows: workers.map(({ name, bytes, gzipBytes, active, sampled }) => [
        ...[name, (bytes / 1000).toFixed(1), (gzipBytes / 1000).toFixed(1)],
        ...[active.toFixed(1), sampled.toFixed(1)],
      ]),
      notes: [
        `Minified, as deployed. “active” is what \`wrangler check startup\` says, the median of ${rounds} rounds. Its profiler samples each millisecond; to what it samples first it adds the time since it began, some 10 ms also for **counting**, which does nothing but count to 100,000 when it starts. “sampled” leaves that first sample out.`,
      ],
    },
  ];
}

/** What operations cost in databases of different sizes. */
export function scaleTables({ rounds, costs, lists }: ScaleFigures): Table[] {
  const sizes = [...new Set(costs.map(({ size }) => size))];
  const operations = [...Map.groupBy(costs, ({ operation }) => operation)];
  const promises = { flat: 'yes', scan: 'no', list: 'no' };
  const table = (title: string, of: (cost: ScaleFigures['costs'][number]) => string): Table => ({
    title,
    head: ['operation', 'flat', ...sizes],
    rows: operations.map(([operation, all]) => [
      operation,
      promises[all[0]?.promise ?? 'list'],
      ...all.map(of),
    ]),
    notes: [],
  });
  return [
    {
      ...table('Scale: rows read + rows written, by products', ({ d1 }) =>
        d1.rowsWritten > 0
          ? `${count(d1.rowsRead)} + ${count(d1.rowsWritten)}`
          : count(d1.rowsRead),
      ),
      notes: [
        'All products are of one brand; in the last column 1,000 brands have 100 each. What is promised flat is checked: it reads and writes the same rows in all of them. Pages are of 50, and filters are for values that few products have.',
      ],
    },
    {
      ...table('Scale: CPU ms of a request, by products', (cost) => cpu(cost.cpu)),
      notes: [`Medians of ${rounds} rounds, one request after the other.`],
    },
    {
      title: 'Scale: the complete list of a brand',
      head: ['products', 'MB', 'first byte ms', 'last byte ms', 'memory before MiB', 'added MiB'],
      rows: lists.map(({ productsOfBrand, bytes, ...list }) => [
        ...[count(productsOfBrand), (bytes / 1e6).toFixed(1), ms(list.firstByte)],
        ...[ms(list.lastByte), mib(list.memoryBefore), mib(list.memoryAdded)],
      ]),
      notes: [
        'Memory is that of the whole workerd: before the first such list of its life, and what that one added at most.',
      ],
    },
  ];
}

/** What minutes of load came to. */
export function loadTables({ operations, resident, heap, ...load }: LoadFigures): Table[] {
  const growth = heap.growthPerRequest;
  return [
    {
      title: `Load: ${load.connections} connections for ${load.seconds} seconds`,
      head: ['operation', 'requests', 'p50 ms', 'p99 ms', 'answers'],
      rows: operations.map(({ operation, requests, p50, p99, statuses }) => [
        ...[operation, count(requests), ms(p50), ms(p99)],
        Object.entries(statuses)
          .map(([status, answers]) => `${count(answers)} × ${status}`)
          .join(', '),
      ]),
      notes: [
        `${count(load.requests)} requests, ${count(load.requestsPerSecond)} in a second; ${load.errors === 0 ? 'no' : load.errors} errors: an answer that is not as expected, in status or content, is one, but for 429. Half of the connections share one key, which is more than its limit.`,
        NOISE,
        `Memory is compared at half-time and at the end, after a collection. What lives in the service’s heap: ${heap.before.toFixed(2)} and ${heap.after.toFixed(2)} MiB, ${growth.toFixed(1)} bytes for each request between (passes up to ${MOST_HEAP_GROWTH}). The whole workerd: ${mib(resident.before)} and ${mib(resident.after)} MiB (passes up to ${MOST_GROWTH * 100} % more). Before collection it had ${resident.quarters.map(mib).join(', ')} MiB in the mean of each quarter of the time.`,
      ],
    },
  ];
}

/** What became of writes when the server was killed. */
export function durabilityTables(figures: DurabilityFigures): Table[] {
  const { kills, connections, acknowledged, inFlight, inFlightDone } = figures;
  return [
    {
      title: `Durability: kill -9 of the server, ${kills} times`,
      head: ['', 'number'],
      rows: [
        ...Object.entries(acknowledged).map(([kind, writes]) => [
          `acknowledged: ${kind}`,
          count(writes),
        ]),
        ['rows compared after restarts', count(figures.rowsCompared)],
        ['writes under way at a kill', count(inFlight)],
        ['of these, took effect', count(inFlightDone)],
        ['lost, half or double', count(figures.violations)],
      ],
      notes: [`${connections} connections write all the time. Seed ${figures.seed}.`],
    },
  ];
}
