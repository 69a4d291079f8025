import { median } from 'simple-statistics';
import { cpuMicroseconds } from './cpu.ts';
import { counted } from './http.ts';
import type { Row } from './report.ts';
import type { Served } from './servers.ts';

/** The added latency of each call to D1 at the distant ports, in milliseconds. */
export const DISTANCE = 30;
/** The column of the seconds with added latency. */
export const SECONDS = `s at ${DISTANCE} ms`;

/** A task of an integration. Only the work is measured. */
export interface Steps {
  /** Sends the requests to this port. */
  readonly work: (port: number) => Promise<void>;
  /** Puts the data back for the next time. */
  readonly restore?: () => unknown;
}

/**
 * Measures the CPU time of a task directly, and the rest once more with added latency and counters.
 * @param pid the process id of workerd
 * @param rounds how often the CPU time is measured; the median counts
 */
export async function measureTask(
  pid: number,
  { port, distantPort }: Served,
  rounds: number,
  { work, restore }: Steps,
): Promise<Row> {
  const cpu: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const before = await cpuMicroseconds(pid);
    await work(port);
    cpu.push(((await cpuMicroseconds(pid)) - before) / 1000);
    await restore?.();
  }
  let seconds = NaN;
  const d1 = await counted(distantPort, async () => {
    const start = performance.now();
    await work(distantPort);
    seconds = (performance.now() - start) / 1000;
  });
  await restore?.();
  return {
    requests: d1.requests,
    'D1 calls': d1.calls,
    'rows read': d1.rowsRead,
    'rows written': d1.rowsWritten,
    'CPU ms': median(cpu),
    [SECONDS]: seconds,
  };
}
