import { median } from 'simple-statistics';
import type { Outcome } from '../report.ts';
import { BARE, LAYERS, SERVICE } from '../servers.ts';
import { comparedWithBare, OPERATIONS, race } from './race.ts';

/** Measures what each layer of the service costs: the bare Worker, with one layer more each time. */
export async function layers(quick: boolean): Promise<Outcome> {
  const [rounds, warmUp, products, share] = quick ? [1, 0, 60, 0.04] : [40, 4, 1000, 0.5];
  const contestants = [BARE, ...LAYERS, SERVICE];
  const size = { rounds, warmUp, products, share, distance: 0 };
  return race({ contestants, operations: OPERATIONS, ...size }, (groups) => {
    const rows = groups.flatMap((group) =>
      group.map((entry) => ({
        ...{ operation: entry.operation, Worker: entry.name },
        'CPU µs': Math.round(median(entry.rounds.map(({ cpu }) => cpu)) * 1000),
        ...comparedWithBare(entry, group),
      })),
    );
    return Promise.resolve({ tables: [{ title: 'One layer after the other', rows }], wrong: [] });
  });
}
