import type { V4WorkerOptions } from 'miniflare';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** A Worker without work, through which the account reaches its databases. */
const HOLDER = 'databases';
const SERVICE = 'service';

/** The account's Worker and databases, which miniflare runs. */
export class Runtime {
  readonly #folder: string;
  readonly #databases = new Set<string>();
  #code: V4WorkerOptions | undefined;
  #miniflare: Miniflare | undefined;

  /** @param folder where the databases lie */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where the Worker answers. */
  async url(): Promise<string> {
    const { origin } = await (await this.#ready(false)).unsafeGetDirectURL(SERVICE);
    return origin;
  }

  async database(id: string): Promise<D1Database> {
    const isNew = !this.#databases.has(id);
    this.#databases.add(id);
    return (await this.#ready(isNew)).getD1Database(id, HOLDER);
  }

  /** Serves a Worker instead of the one before. */
  async serve(code: V4WorkerOptions): Promise<void> {
    this.#code = code;
    await this.#ready(true);
  }

  /** Runs the Worker's handler of scheduled events. */
  async runSchedule(cron: string): Promise<string> {
    const worker = await (await this.#ready(false)).getWorker(SERVICE);
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
    const socket = { host: '127.0.0.1', port: 0 };
    const served = this.#code && { ...this.#code, name: SERVICE, unsafeDirectSockets: [socket] };
    return convertV4MiniflareOptions({
      workers: served ? [holder, served] : [holder],
      resourcePersistencePath: this.#folder,
      // A Worker writes a line per request.
      handleStructuredLogs: () => undefined,
    });
  }
}
