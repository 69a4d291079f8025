import type { V4WorkerOptions } from 'miniflare';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { freePort } from '../../node/processes.ts';

const HOST = '127.0.0.1';

/** A Worker without work, through which the account reaches its databases. */
const HOLDER = 'databases';

/** The account's Workers and databases, which miniflare runs. */
export class Runtime {
  readonly #folder: string;
  readonly #databases = new Set<string>();
  readonly #workers = new Map<string, { readonly port: number; readonly code: V4WorkerOptions }>();
  #miniflare: Miniflare | undefined;

  /** @param folder where the databases lie */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the database that has an id. */
  async database(id: string): Promise<D1Database> {
    const isNew = !this.#databases.has(id);
    this.#databases.add(id);
    return (await this.#ready(isNew)).getD1Database(id, HOLDER);
  }

  /** Serves a Worker under a name, instead of the one that had it. Its address stays. */
  async serve(name: string, code: V4WorkerOptions): Promise<void> {
    const port = this.#workers.get(name)?.port ?? (await freePort());
    this.#workers.set(name, { port, code });
    await this.#ready(true);
  }

  /** Where a Worker answers. */
  urlOf(name: string): string {
    return `http://${HOST}:${this.#workers.get(name)?.port ?? 0}`;
  }

  /** Runs a Worker's handler of scheduled events. */
  async runSchedule(name: string, cron: string): Promise<string> {
    const worker = await (await this.#ready(false)).getWorker(name);
    return (await worker.scheduled({ cron })).outcome;
  }

  async stop(): Promise<void> {
    await this.#miniflare?.dispose();
  }

  async #ready(isChanged: boolean): Promise<Miniflare> {
    if (this.#miniflare === undefined) this.#miniflare = new Miniflare(this.#options());
    else if (isChanged) await this.#miniflare.setOptions(this.#options());
    await this.#miniflare.ready;
    return this.#miniflare;
  }

  #options(): ConstructorParameters<typeof Miniflare>[0] {
    const holder: V4WorkerOptions = {
      name: HOLDER,
      modules: true,
      script: 'export default { fetch: () => new Response(null, { status: 404 }) };',
      d1Databases: Object.fromEntries([...this.#databases].map((id) => [id, id])),
    };
    const served = [...this.#workers].map(([name, { port, code }]) => ({
      ...{ ...code, name, unsafeDirectSockets: [{ host: HOST, port }] },
    }));
    return convertV4MiniflareOptions({
      workers: [holder, ...served],
      resourcePersistencePath: this.#folder,
      // A Worker writes a line per request.
      handleStructuredLogs: () => undefined,
    });
  }
}
