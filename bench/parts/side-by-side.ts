import { median } from 'simple-statistics';
import { counted, times } from '../http.ts';
import type { Outcome } from '../report.ts';
import { OTHERS, SERVICE } from '../servers.ts';
import type { Figures } from './race.ts';
import { comparedWithBare, LIST_ALL, OPERATIONS, race } from './race.ts';

/** The added latency of each call to D1, in milliseconds. */
const DISTANCE = 30;

/** Measures all operations of four designs of the same service. */
export async function sideBySide(quick: boolean): Promise<Outcome> {
  const [rounds, warmUp, products, share] = quick ? [1, 0, 60, 0.04] : [15, 3, 1000, 1];
  const contestants = [SERVICE, ...OTHERS];
  const operations = [...OPERATIONS, LIST_ALL];
  const size = { rounds, warmUp, products, share, distance: DISTANCE };
  return race({ contestants, operations, ...size }, async (groups) => {
    const rows = [];
    for (const group of groups) {
      for (const entry of group) {
        const { operation, name, distantPort, apiKey, call, rounds: own } = entry;
        const d1 = await counted(distantPort, () =>
          times(distantPort, apiKey, { amount: 1, connections: 1 }, call),
        );
        const of = (figure: keyof Figures): number => median(own.map((round) => round[figure]));
        rows.push({
          ...{ operation, contestant: name, 'req/s': Math.round(of('perSecond')) },
          ...{ 'p50 ms': of('p50'), 'CPU ms': of('cpu'), ...comparedWithBare(entry, group) },
          [`p50 at ${DISTANCE} ms`]: of('distantP50'),
          ...{ 'D1 calls': d1.calls, 'rows read': d1.rowsRead, 'rows written': d1.rowsWritten },
        });
      }
    }
    return { tables: [{ title: `${products.toLocaleString('en')} products`, rows }], wrong: [] };
  });
}
