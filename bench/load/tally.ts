import { median, quantile } from 'simple-statistics';
import type { LoadFigures } from '../figures.ts';

/** Texts of errors that are kept; the rest is counted. */
const KEPT = 20;

/** What became of the requests of all connections. */
export class Tally {
  readonly #took = new Map<string, number[]>();
  readonly #statuses = new Map<string, Map<number, number>>();
  readonly errorTexts: string[] = [];
  requests = 0;
  errors = 0;

  /** Notes an answer and, where it was as expected, how many milliseconds it took. */
  answered(operation: string, status: number, milliseconds: number, expected: boolean): void {
    this.requests++;
    const statuses = this.#statuses.get(operation) ?? new Map<number, number>();
    this.#statuses.set(operation, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    const took = this.#took.get(operation) ?? [];
    this.#took.set(operation, took);
    // A refusal is quicker than what it refuses.
    if (expected) took.push(milliseconds);
  }

  /** Notes something that must not be. */
  failed(text: string): void {
    if (++this.errors <= KEPT) this.errorTexts.push(text);
  }

  /** The figures of each operation, in order of their names. */
  operations(): LoadFigures['operations'] {
    return Array.from(this.#took, ([operation, took]) => {
      const statuses = [...(this.#statuses.get(operation) ?? [])].sort(([a], [b]) => a - b);
      return {
        operation,
        requests: statuses.reduce((sum, [, count]) => sum + count, 0),
        p50: took.length > 0 ? median(took) : 0,
        p99: took.length > 0 ? quantile(took, 0.99) : 0,
        statuses: Object.fromEntries(statuses.map(([status, count]) => [String(status), count])),
      };
    }).sort((a, b) => a.operation.localeCompare(b.operation));
  }
}
