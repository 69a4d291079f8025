import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Workerd } from '../workerd.ts';
import { startWorkerd } from '../workerd.ts';

/** Requests are repeated, and the lowest time counts, so that garbage collection causes no failure. */
const TRIES = 12;

/** A request below `/api/brand/v1`. */
export interface Request {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A service whose CPU time can be read. Wall time says little on a busy machine, so this reads the time of the Worker's
 * process, which Linux counts for each thread.
 */
export class MeasuredService {
  readonly #workerd: Workerd;
  readonly #process: string;

  private constructor(workerd: Workerd, process: string) {
    this.#workerd = workerd;
    this.#process = process;
  }

  /** Starts a service. */
  static async start(): Promise<MeasuredService> {
    const others = workerds();
    const workerd = await startWorkerd('src/index.ts');
    const started = workerds().filter((id) => !others.includes(id));
    expect(started).toHaveLength(1);
    return new MeasuredService(workerd, started[0] ?? '');
  }

  stop(): Promise<void> {
    return this.#workerd.stop();
  }

  /**
   * Sends a request several times, and returns the lowest CPU time in milliseconds.
   * @param make returns the request of a try
   * @param enough a time at which measuring ends
   */
  async least(make: (run: number) => Request, enough: number): Promise<number> {
    let least = Infinity;
    for (let run = 0; run < TRIES && least > enough; run++) {
      least = Math.min(least, await this.#send(make(run)));
    }
    return least;
  }

  /** Sends a request, by default a POST of products, and returns its CPU time in milliseconds. */
  async #send({ method = 'POST', path = '/products', body, headers }: Request): Promise<number> {
    const { port, apiKey } = this.#workerd;
    const before = this.#cpu();
    const response = await fetch(`http://127.0.0.1:${port}/api/brand/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        // The server ends a connection whose body it has not read to the end.
        Connection: 'close',
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const cpu = this.#cpu() - before;
    expect([200, 201, 204, 400, 401, 404, 413], text.slice(0, 200)).toContain(response.status);
    return cpu;
  }

  /** The CPU time that the service has used, in milliseconds. */
  #cpu(): number {
    const tasks = `/proc/${this.#process}/task`;
    const times = readdirSync(tasks).map((thread) =>
      Number(readFileSync(`${tasks}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
    );
    return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  }
}

/** The processes of workerd that this process has started. */
function workerds(): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      const [, parent] = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
      const [program = ''] = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
      return Number(parent) === process.pid && program.endsWith('/workerd');
    } catch {
      // It is no process, or one that has ended.
      return false;
    }
  });
}
