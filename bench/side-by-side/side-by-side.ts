import { Client, closedLoop } from '../client.ts';
import type { Call } from '../client.ts';
import { OTHERS } from '../contestants.ts';
import { countedCost } from '../counters.ts';
import { makeBrand } from '../data.ts';
import type { SideBySideFigures } from '../figures.ts';
import type { Brands, Operation } from './operations.ts';
import { OPERATIONS } from './operations.ts';
import { cpuMicroseconds } from '../process.ts';
import type { Contestant, Served, Servers } from '../servers.ts';
import { serve } from '../servers.ts';
import { median, quantile } from 'simple-statistics';

// Four designs of the same service in one workerd, each with the same data, asked in turns.

const CONTESTANTS = [
  { name: 'service', module: 'bench/workers/service.ts' },
  ...OTHERS,
  { name: 'simulated limiter', module: 'src/index.ts' },
] as const satisfies readonly Contestant[];

/** Milliseconds on the way to D1. */
export const DISTANCE = 30;
export const PRODUCTS = 1000;
const CONNECTIONS = 4;
const DISTANT_REQUESTS = 12;

/** Rounds until the JavaScript engine has made what it can of every contestant's code. */
const WARM_UP = 3;

/** What one round measured. */
type Figures = Pick<
  SideBySideFigures[number],
  'requestsPerSecond' | 'p50' | 'p99' | 'cpu' | 'distantP50'
>;

/** A Worker with its data and what asks it. */
interface Contender extends Served {
  readonly brands: Brands;
  readonly client: Client;
  readonly distantClient: Client;
}

/**
 * Measures all operations of all contestants.
 * @param rounds in each of which every operation of every contestant has its turn; an odd number
 * @param log is told how far it is
 */
export async function sideBySide(
  rounds: number,
  log: (text: string) => void,
): Promise<SideBySideFigures> {
  const servers = await serve(CONTESTANTS, { distance: DISTANCE });
  try {
    const contenders = await Promise.all(servers.served.map((served) => contend(servers, served)));
    const pairs = OPERATIONS.map((operation) => ({
      operation,
      entries: contenders.map((contender) => ({ contender, rounds: Array<Figures>() })),
    }));

    // The first rounds warm up and are forgotten.
    for (let round = 1 - WARM_UP; round <= rounds; round++) {
      for (const { operation, entries } of pairs) {
        // Another one begins each time, and has others before and after it: what one leaves behind is not to burden always the same.
        const first = (round + WARM_UP) % entries.length;
        const order = [...entries.slice(first), ...entries.slice(0, first)];
        for (const entry of round % 2 === 0 ? order : order.toReversed()) {
          const figures = await measure(servers.pid, entry.contender, operation);
          if (round > 0) entry.rounds.push(figures);
        }
      }
      log(round > 0 ? `round ${round} of ${rounds}` : 'warming up');
    }

    const lines: SideBySideFigures = [];
    for (const { operation, entries } of pairs) {
      const bare = entries.find(({ contender }) => contender.name === 'bare');
      for (const { contender, rounds } of entries) {
        const { name, brands, distantClient } = contender;
        lines.push({
          ...{ operation: operation.name, contestant: name },
          ...summary(rounds, bare?.rounds ?? rounds),
          d1: await countedCost(distantClient, operation.call(name, brands, 7)),
        });
      }
    }
    return lines;
  } finally {
    await servers.stop();
  }
}

async function contend(servers: Servers, served: Served): Promise<Contender> {
  return {
    ...served,
    brands: {
      read: await makeBrand(servers, served.name, PRODUCTS),
      written: await makeBrand(servers, served.name, PRODUCTS),
    },
    client: new Client(served.port, CONNECTIONS),
    distantClient: new Client(served.instrumentedPort, 1),
  };
}

async function measure(
  pid: number,
  { name, brands, client, distantClient }: Contender,
  { requests, call }: Operation,
): Promise<Figures> {
  const next = (number: number): Call => call(name, brands, number);
  const [cpu, start] = [await cpuMicroseconds(pid), performance.now()];
  const took = await closedLoop(client, { requests, connections: CONNECTIONS }, next);
  const elapsed = performance.now() - start;
  const used = (await cpuMicroseconds(pid)) - cpu;
  // One after the other: with more at once, they would wait for each other rather than for D1.
  const far = { requests: DISTANT_REQUESTS, connections: 1 };
  const distant = await closedLoop(distantClient, far, next);
  return {
    requestsPerSecond: (requests / elapsed) * 1000,
    ...{ p50: median(took), p99: quantile(took, 0.99), cpu: used / requests },
    distantP50: median(distant),
  };
}

/** The medians of the rounds; what compares two is formed inside of each. */
function summary(
  own: readonly Figures[],
  bares: readonly Figures[],
): Omit<SideBySideFigures[number], 'operation' | 'contestant' | 'd1'> {
  const of = (value: (own: Figures, bare: Figures) => number): number =>
    median(own.map((figures, round) => value(figures, bares[round] ?? figures)));
  return {
    requestsPerSecond: of(({ requestsPerSecond }) => requestsPerSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    cpu: of(({ cpu }) => cpu),
    distantP50: of(({ distantP50 }) => distantP50),
    cpuToBare: of((figures, bare) => figures.cpu / bare.cpu),
    distantP50MinusBare: of((figures, bare) => figures.distantP50 - bare.distantP50),
  };
}
