import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { BrandClient } from '../client/src/index.ts';
import type { BrandData } from './data.ts';
import type { Served } from './servers.ts';

/** What the mover says of a step. */
const progress = z.object({
  next: z.enum(['again', 'later', 'done']),
  ...{ isSettled: z.boolean(), copiedRows: z.number(), copiedBytes: z.number() },
  ...{ failedCommits: z.number(), rest: z.number() },
});

/** A time from its begin to its end, in milliseconds. */
export type Span = readonly [from: number, to: number];

/** A move that is settled. */
export interface Moved {
  readonly from: number;
  /** When the mover worked or rested, as it does for its neighbours. */
  readonly moving: readonly Span[];
  /** When it was stopped, to compare: as long after each step as that and its rest. */
  readonly stopped: readonly Span[];
  readonly rows: number;
  readonly failedCommits: number;
}

/**
 * Moves a brand, one step after the other, as a Workflow does, with a stop after each.
 * @param port the port of the mover
 * @throws Error if the move is given up, or if the brand is too busy
 */
export async function move(
  port: number | undefined,
  brandId: string,
  [from, to]: readonly [number, number],
): Promise<Moved> {
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    const url = `http://127.0.0.1:${Number(port)}${path}`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const begun = await ask('/begin', { brandId, source: from, target: to, actor: 'bench' });
  const moving: Span[] = [];
  const stopped: Span[] = [];
  let rows = 0;
  for (;;) {
    const start = performance.now();
    const step = progress.parse(await ask('/advance', begun));
    await setTimeout(step.rest);
    const end = performance.now();
    moving.push([start, end]);
    rows = Math.max(rows, step.copiedRows);
    const { isSettled, failedCommits } = step;
    if (isSettled) return { from, moving, stopped, rows, failedCommits };
    if (step.next !== 'again') throw new Error(`The move is not settled: ${JSON.stringify(step)}`);
    await setTimeout(end - start);
    stopped.push([end, performance.now()]);
  }
}

/** A client that changes products at a rate, whether earlier changes are answered or not. */
export class Load {
  /** When each write was refused with 503, in milliseconds. */
  readonly refused: number[] = [];
  writes = 0;
  /** The longest time from the first try of a write to its success, in milliseconds. */
  longest = 0;
  readonly #client: BrandClient;
  readonly #ids: readonly string[];
  readonly #sent: Promise<void>[] = [];

  constructor({ port }: Served, { apiKey, ids }: BrandData) {
    this.#ids = ids;
    this.#client = new BrandClient({
      ...{ apiKey, baseUrl: `http://127.0.0.1:${port}` },
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (response.status === 503) this.refused.push(performance.now());
        return response;
      },
    });
  }

  /** Writes until it is stopped, and then until all is answered. */
  async run(perSecond: number, stop: AbortSignal): Promise<void> {
    const interval = 1000 / perSecond;
    for (let next = performance.now(); !stop.aborted; next += interval) {
      await setTimeout(Math.max(0, next - performance.now()));
      const write = this.#write();
      // It is awaited at the end.
      write.catch(() => undefined);
      this.#sent.push(write);
    }
    await Promise.all(this.#sent);
  }

  async #write(): Promise<void> {
    const id = this.#ids[Math.floor(Math.random() * this.#ids.length)] ?? '';
    const start = performance.now();
    await this.#client.products.update(id, { priceCents: ++this.writes });
    this.longest = Math.max(this.longest, performance.now() - start);
  }

  /** How long writes were refused in all, in milliseconds: the time between refusals that follow each other. */
  get refusedFor(): number {
    return this.refused.reduce((sum, at, n) => {
      const gap = at - (this.refused[n - 1] ?? -Infinity);
      return gap < 500 ? sum + gap : sum;
    }, 0);
  }
}
