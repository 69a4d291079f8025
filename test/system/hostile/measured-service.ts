import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import * as z from 'zod';
import { generateApiKey } from '../../../src/auth/api-key.ts';
import { startServer } from '../../node/own-server.ts';
import type { OwnServer } from '../../node/server.ts';
import type { Operation } from './operations.ts';

/** The maximum CPU time of a hostile request, as a multiple of a harmless one of the same size. */
export const MOST = 10;
/** The CPU time in milliseconds below which a multiple means nothing. */
export const FLOOR = 30;
/** Requests are repeated, and the lowest time counts, so that garbage collection causes no failure. */
const TRIES = 6;

/** The statuses of a request whose key does not exist. */
export const UNKNOWN_KEY = [401, 429];

const resource = z.record(z.string(), z.object({ id: z.string() }));

/** A request, and the statuses that it may have. */
export interface Request {
  readonly method: string;
  /** `:id` stands for a resource of the brand. */
  readonly path: string;
  /** Whether its key is live. */
  readonly isLive?: boolean;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly statuses: readonly number[];
}

/** The answer to a request. */
export interface Measured {
  readonly text: string;
  /** The CPU time in milliseconds. */
  readonly cpu: number;
}

/**
 * A service whose CPU time can be read. Wall time says little on a busy machine, so this reads the time of the Worker's
 * process, which Linux counts for each thread.
 */
export class MeasuredService {
  readonly #server: OwnServer;
  readonly #worker: number;
  #paths: Readonly<Record<string, string>> = {};

  private constructor(server: OwnServer, worker: number) {
    this.#server = server;
    this.#worker = worker;
  }

  /** Starts a service with a product and a coupon code. */
  static async start(): Promise<MeasuredService> {
    const server = await startServer();
    const service = new MeasuredService(server, await workerOf(server.group, server.port));
    service.#paths = {
      '/products/:id': await service.#create('/products', { title: 'A', priceCents: 1 }),
      '/coupon-codes/:id': await service.#create('/coupon-codes', {
        code: 'A',
        discountPercent: 1,
      }),
    };
    return service;
  }

  get port(): number {
    return this.#server.port;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  /** The CPU time that the service has used, in milliseconds. */
  cpu(): number {
    return cpuOf(this.#worker);
  }

  /** Sends a request. A key that is not live has never been issued. */
  async send({ method, path, isLive, body, headers, statuses }: Request): Promise<Measured> {
    const apiKey = isLive === true ? this.#server.apiKey : generateApiKey();
    const before = this.cpu();
    const response = await fetchAgain(
      `http://127.0.0.1:${this.port}/api/brand/v1${this.#paths[path] ?? path}`,
      {
        method,
        headers: {
          Authorization: `Bearer ${apiKey}`,
          // `wrangler dev` compresses in the same process. On Cloudflare, this is not the Worker's time.
          'Accept-Encoding': 'identity',
          ...headers,
        },
        ...(body !== undefined && { body }),
      },
    );
    const text = await response.text();
    const cpu = this.cpu() - before;
    expect(statuses, `${method} ${path}: ${text.slice(0, 200)}`).toContain(response.status);
    return { text, cpu };
  }

  /**
   * Returns the lowest CPU time of several requests, in milliseconds.
   * @param enough a time at which no further one is sent
   */
  async least(request: Request, enough = 0): Promise<number> {
    return leastOf(async () => (await this.send(request)).cpu, enough);
  }

  async #create(path: string, body: object): Promise<string> {
    const { text } = await this.send({
      ...{ method: 'POST', path, isLive: true, body: JSON.stringify(body), statuses: [201] },
    });
    const [made] = Object.values(resource.parse(JSON.parse(text)));
    return `${path}/${made?.id ?? ''}`;
  }
}

/** Sends a request once more if the server had closed the connection that it was sent on. */
async function fetchAgain(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch {
    return fetch(url, request);
  }
}

/**
 * Measures several times, and returns the lowest value.
 * @param enough a value at which measuring ends
 */
export async function leastOf(measure: () => Promise<number>, enough = 0): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < TRIES && least > enough; run++) least = Math.min(least, await measure());
  return least;
}

/** A case of the tests: an operation, the kind of its key, and the shape of its body. */
export interface Case {
  readonly operation: Operation;
  readonly isLive: boolean;
  readonly shape: 'one' | 'list' | 'full';
}

/** Names a case in the output. */
export function nameOf({ operation, isLive, shape }: Case): string {
  return `${operation.method} ${operation.path}, ${shape}, ${isLive ? 'live' : 'unknown'} key`;
}

/**
 * The process of workerd that runs the Worker under `wrangler dev`. Wrangler starts two in its process group: the
 * other listens on the public port and passes requests on.
 * @param group the process group
 * @param port the public port
 */
async function workerOf(group: number, port: number): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8');
      const [, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = await readFile(`/proc/${name}/cmdline`, 'utf8');
      const [program = ''] = command.split('\0');
      const isWorkerd = program.endsWith('/workerd') && Number(pgrp) === group;
      if (isWorkerd && !command.includes(`:${port}\0`)) return Number(name);
    } catch {
      // The process has ended.
    }
  }
  throw new Error('There is no process of the Worker.');
}

/** The CPU time that all threads of a process have used, in milliseconds. */
function cpuOf(pid: number): number {
  let nanoseconds = 0;
  // Twice for each of thousands of requests, and some thirty files: without waiting, in a tenth of the time.
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [ran] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    nanoseconds += Number(ran);
  }
  return nanoseconds / 1e6;
}
