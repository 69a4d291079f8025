import { Client, closedLoop } from '../client.ts';
import type { Call } from '../client.ts';
import { countedCost } from '../counters.ts';
import { makeBrand } from '../data.ts';
import type { SideBySideFigures } from '../figures.ts';
import type { Operation } from './operations.ts';
import { OPERATIONS } from './operations.ts';
import { cpuMicroseconds } from '../process.ts';
import type { Contestant, Served } from '../servers.ts';
import { serve } from '../servers.ts';
import { median, quantile } from 'simple-statistics';

// Four designs of the same service in one workerd, each with the same data, asked in turns.

const CONTESTANTS = [
  { name: 'service', module: 'bench/workers/service.ts' },
  { name: 'bare', module: 'bench/workers/bare.ts' },
  { name: 'usual', module: 'bench/workers/usual.ts' },
  { name: 'chanfana', module: 'bench/workers/chanfana.ts' },
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
    const contenders = await Promise.all(
      servers.served.map(async (served) => ({
        ...served,
        brands: {
          read: await makeBrand(servers, served.name, PRODUCTS),
          written: await makeBrand(servers, served.name, PRODUCTS),
        },
        client: new Client(served.port, CONNECTIONS),
        distantClient: new Client(served.instrumentedPort, 1),
      })),
    );
    type Contender = (typeof contenders)[number];
    const measured = new Map<string, Figures[]>();
    const of = ({ name }: Served, operation: Operation): Figures[] => {
      const key = `${name} ${operation.name}`;
      const figures = measured.get(key) ?? [];
      measured.set(key, figures);
      return figures;
    };
    const measure = async (contender: Contender, operation: Operation): Promise<Figures> => {
      const call = (number: number): Call =>
        operation.call(contender.name, contender.brands, number);
      const options = { requests: operation.requests, connections: CONNECTIONS };
      const [cpu, start] = [await cpuMicroseconds(servers.pid), performance.now()];
      const took = await closedLoop(contender.client, options, call);
      const elapsed = performance.now() - start;
      const used = (await cpuMicroseconds(servers.pid)) - cpu;
      // One after the other: with more at once, they would wait for each other rather than for D1.
      const far = { requests: DISTANT_REQUESTS, connections: 1 };
      const distant = await closedLoop(contender.distantClient, far, call);
      return {
        requestsPerSecond: (operation.requests / elapsed) * 1000,
        ...{ p50: median(took), p99: quantile(took, 0.99), cpu: used / operation.requests },
        distantP50: median(distant),
      };
    };

    // The first rounds warm up and are forgotten.
    for (let round = 1 - WARM_UP; round <= rounds; round++) {
      for (const operation of OPERATIONS) {
        // Another one begins each time.
        for (let turn = 0; turn < contenders.length; turn++) {
          const contender = contenders[(turn + round + WARM_UP) % contenders.length];
          if (contender === undefined) continue;
          const figures = await measure(contender, operation);
          if (round > 0) of(contender, operation).push(figures);
        }
      }
      log(round > 0 ? `round ${round} of ${rounds}` : 'warming up');
    }

    const lines: SideBySideFigures = [];
    for (const operation of OPERATIONS) {
      for (const contender of contenders) {
        const bare = contenders.find(({ name }) => name === 'bare') ?? contender;
        const [own, bares] = [of(contender, operation), of(bare, operation)];
        const compared = (compare: (own: Figures, bare: Figures) => number): number =>
          median(own.map((figures, round) => compare(figures, bares[round] ?? figures)));
        lines.push({
          operation: operation.name,
          contestant: contender.name,
          requestsPerSecond: median(own.map((figures) => figures.requestsPerSecond)),
          p50: median(own.map((figures) => figures.p50)),
          p99: median(own.map((figures) => figures.p99)),
          cpu: median(own.map((figures) => figures.cpu)),
          distantP50: median(own.map((figures) => figures.distantP50)),
          cpuToBare: compared((a, b) => a.cpu / b.cpu),
          distantP50MinusBare: compared((a, b) => a.distantP50 - b.distantP50),
          d1: await countedCost(
            contender.distantClient,
            operation.call(contender.name, contender.brands, 7),
          ),
        });
      }
    }
    return lines;
  } finally {
    await servers.stop();
  }
}
