import { quantileSorted } from 'simple-statistics';
import { described } from '../answer.ts';
import type { Check } from '../check.ts';

const READS = 50;

/** The time of reads as measured by this client, in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/**
 * Measures the time of reads, one after the other.
 * @param limit the maximum p95, in milliseconds
 * @param keep takes the figures
 */
export function latency(limit: number | undefined, keep: (measured: Latency) => void): Check {
  return {
    name: 'latency',
    async run({ service, fail, note }) {
      const times: number[] = [];
      for (let count = 0; count < READS; count++) {
        const answer = await service.api('GET', '/profile');
        if (answer.status !== 200) throw new Error(`${described(answer)}, expected 200.`);
        times.push(answer.milliseconds);
      }
      times.sort((a, b) => a - b);
      const at = (part: number): number => Math.round(quantileSorted(times, part) * 10) / 10;
      const measured = { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
      keep(measured);
      note(
        `${READS} reads: p50 ${measured.p50} ms, p95 ${measured.p95} ms, p99 ${measured.p99} ms`,
      );
      if (limit !== undefined && measured.p95 > limit) fail(`p95 is above ${limit} ms`);
    },
  };
}
