import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { filledFolder } from '../../node/pool.ts';
import { serve } from '../../node/server.ts';

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
  readonly #port: number;
  readonly #apiKey: string;
  readonly #worker: number;
  /** Ends it. */
  readonly stop: () => Promise<void>;

  private constructor(
    { port, group, stop }: Awaited<ReturnType<typeof serve>>,
    { apiKey }: { readonly apiKey: string },
  ) {
    this.#port = port;
    this.#apiKey = apiKey;
    this.#worker = workerOf(group, port);
    this.stop = stop;
  }

  /** Starts a service. */
  static async start(): Promise<MeasuredService> {
    const filled = await filledFolder();
    return new MeasuredService(await serve(filled.path), filled);
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
    const before = this.#cpu();
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/brand/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#apiKey}`,
        // `wrangler dev` compresses in the same process. On Cloudflare, this is not the Worker's time.
        'Accept-Encoding': 'identity',
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
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${this.#worker}/task`)) {
      const file = `/proc/${this.#worker}/task/${thread}/schedstat`;
      nanoseconds += Number(readFileSync(file, 'utf8').split(' ', 1)[0]);
    }
    return nanoseconds / 1e6;
  }
}

/**
 * The process of workerd that runs the Worker under `wrangler dev`. Wrangler starts two in its process group: the
 * other listens on the public port and passes requests on.
 */
function workerOf(group: number, port: number): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      const [program = ''] = command.split('\0');
      const isWorkerd = program.endsWith('/workerd') && Number(pgrp) === group;
      if (isWorkerd && !command.includes(`:${port}\0`)) return Number(name);
    } catch {
      // The process has ended.
    }
  }
  throw new Error('There is no process of the Worker.');
}
