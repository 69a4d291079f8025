import type { V4WorkerOptions } from 'miniflare';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { tailWorker } from './tail-worker.ts';

/** A Worker to run, as it was uploaded. */
export type Bootable = V4WorkerOptions;

interface Running {
  readonly port: number;
  readonly tailPort: number;
  worker: Bootable;
}

const HOLDER = 'databases';
const HOST = '127.0.0.1';

/** workerd with the account's Workers and databases, by miniflare. Changes take effect when something is next asked of it. */
export class Runtime {
  readonly #folder: string;
  readonly #freePort: () => Promise<number>;
  readonly #databases = new Set<string>();
  readonly #running = new Map<string, Running>();
  #miniflare: Miniflare | undefined;
  #isStale = true;

  /** @param folder where the databases lie */
  constructor(folder: string, freePort: () => Promise<number>) {
    this.#folder = folder;
    this.#freePort = freePort;
  }

  addDatabase(id: string): void {
    this.#databases.add(id);
    this.#isStale = true;
  }

  /** Serves a Worker under a name, instead of the one that had it. Its address stays. */
  async serve(name: string, worker: Bootable): Promise<void> {
    const known = this.#running.get(name);
    if (known) known.worker = worker;
    else {
      const [port, tailPort] = [await this.#freePort(), await this.#freePort()];
      this.#running.set(name, { port, tailPort, worker });
    }
    this.#isStale = true;
    try {
      await this.#ready();
    } catch (error) {
      if (known === undefined) this.#running.delete(name);
      throw error;
    }
  }

  /** Where a Worker answers. */
  urlOf(name: string): string {
    return `http://${HOST}:${this.#find(name).port}`;
  }

  /** Where a Worker's logs can be followed. */
  tailUrlOf(name: string): string {
    return `ws://${HOST}:${this.#find(name).tailPort}`;
  }

  /** Runs a Worker's handler of scheduled events. */
  async runSchedule(name: string, cron: string): Promise<string> {
    const worker = await (await this.#ready()).getWorker(name);
    return (await worker.scheduled({ cron })).outcome;
  }

  /** Returns the instances of a Workflow, as the binding of its own Worker does. */
  async workflow(worker: string, binding: string): Promise<Workflow> {
    const bindings = await (await this.#ready()).getBindings<Record<string, Workflow>>(worker);
    const workflow = bindings[binding];
    if (workflow === undefined) throw new Error(`${worker} has no binding ${binding}.`);
    return workflow;
  }

  /** Ends everything at once. What is next asked starts it again. */
  async kill(): Promise<void> {
    await this.#miniflare?.dispose();
    this.#miniflare = undefined;
  }

  async database(id: string): Promise<D1Database> {
    return (await this.#ready()).getD1Database(id, HOLDER);
  }

  async stop(): Promise<void> {
    await this.#miniflare?.dispose();
  }

  #find(name: string): Running {
    const running = this.#running.get(name);
    if (running === undefined) throw new Error(`No Worker ${name} is deployed.`);
    return running;
  }

  async #ready(): Promise<Miniflare> {
    if (this.#isStale || this.#miniflare === undefined) {
      const options = convertV4MiniflareOptions({
        workers: [
          this.#holder(),
          ...[...this.#running].flatMap(([name, running]) => served(name, running)),
        ],
        resourcePersistencePath: this.#folder,
        // A Worker writes a line per request.
        handleStructuredLogs: () => undefined,
      });
      if (this.#miniflare) await this.#miniflare.setOptions(options);
      else this.#miniflare = new Miniflare(options);
      this.#isStale = false;
    }
    await this.#miniflare.ready;
    return this.#miniflare;
  }

  /** A Worker without work, through which the API reaches the databases. */
  #holder(): V4WorkerOptions {
    return {
      name: HOLDER,
      modules: true,
      script: 'export default { fetch: () => new Response(null, { status: 404 }) };',
      d1Databases: Object.fromEntries([...this.#databases].map((id) => [id, id])),
    };
  }
}

function served(name: string, { port, tailPort, worker }: Running): V4WorkerOptions[] {
  const tail = `${name}-tail`;
  return [
    { ...worker, name, unsafeDirectSockets: [{ host: HOST, port }], tails: [tail] },
    { ...tailWorker, name: tail, unsafeDirectSockets: [{ host: HOST, port: tailPort }] },
  ];
}
