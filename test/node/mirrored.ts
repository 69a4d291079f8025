import { expect } from 'vitest';
import type { BrandClient } from '../../client/src/index.ts';
import type { Side } from '../../client/src/mirror/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { connectTo } from './connected.ts';
import type { StoreItem } from './fake-store.ts';
import { FakeStore, FIELDS } from './fake-store.ts';
import type { FaultyNetwork } from './faulty-network.ts';
import { all } from './outcomes.ts';
import { takeBrand } from './pool.ts';

/** What a run of a mirror needs besides the two sides. */
interface Kept {
  readonly state: string | undefined;
  readonly persist: (text: string) => Promise<void>;
  readonly report: (problem: string) => void;
}

/** Returns a function that returns what each run of one mirror needs: the state that the last run stored. */
export function keeper(report: (problem: string) => void): () => Kept {
  let state: string | undefined;
  const persist = (text: string): Promise<void> =>
    Promise.resolve().then(() => void (state = text));
  return () => ({ state, persist, report });
}

/** A store, a brand of the service, and the mirror between them. */
export class Mirrored {
  readonly store = new FakeStore();
  readonly network: FaultyNetwork;
  /** What the mirror has reported. */
  readonly reports: string[] = [];
  /** What other people do in the service. */
  readonly client: BrandClient;
  /** Called after each request of the mirror, each write of its store, and each state that it stored. */
  onStep = (): void => undefined;
  readonly #products: BrandClient['products'];
  readonly #kept = keeper((problem) => this.reports.push(problem));

  private constructor(
    options: { readonly apiKey: string; readonly baseUrl: string },
    tries: number,
  ) {
    this.client = connectTo(options).client;
    const { network } = connectTo(options);
    this.network = network;
    const fetch: typeof network.fetch = async (...request) => {
      const response = await network.fetch(...request);
      this.onStep();
      return response;
    };
    this.#products = connectTo({ ...options, fetch, tries }).client.products;
    this.store.onWrite = () => {
      this.onStep();
    };
  }

  /**
   * Returns mirrors of stores with one new brand.
   * @param tries 1 if a request that fails must end the run
   */
  static async create(tries = 5): Promise<readonly [Mirrored, Mirrored]> {
    const brand = await takeBrand();
    return [new Mirrored(brand, tries), new Mirrored(brand, tries)];
  }

  async run(winner?: Side): Promise<void> {
    const { persist, ...kept } = this.#kept();
    await mirror({
      ...kept,
      products: this.#products,
      store: this.store,
      fields: FIELDS,
      winner,
      persist: async (text) => {
        await persist(text);
        this.onStep();
      },
    });
  }

  /** Runs it some times. Returns what it reported. */
  async runs(times = 3): Promise<string[]> {
    for (let done = 0; done < times; done++) await this.run();
    return this.reports.splice(0);
  }

  /** The next request, which reads the changes, is refused, as after the restore of a backup. */
  expire(): void {
    this.network.next(Response.json({ error: 'This token is no longer good.' }, { status: 410 }));
  }

  /** Creates a product in the service, and returns its id. */
  async create(sku: string, title = sku, priceCents = 1): Promise<string> {
    return (await this.client.products.create({ sku, title, priceCents })).data.id;
  }

  /** Changes a product in the service. */
  async update(id: string, patch: Parameters<BrandClient['products']['update']>[1]): Promise<void> {
    await this.client.products.update(id, patch);
  }

  async delete(id: string): Promise<void> {
    await this.client.products.delete(id);
  }

  async idOf(sku: string): Promise<string> {
    const [product] = await all(this.client.products.list({ sku }));
    return product?.id ?? '';
  }

  /** What the service has, as a store would have it. */
  async inService(): Promise<StoreItem[]> {
    const found = await all(this.client.products.list());
    return found.map(({ sku, title, priceCents }) => ({ sku: String(sku), title, priceCents }));
  }

  /** The titles of the store and of the service, by SKU as each spells it. */
  async titles(): Promise<readonly [Titles, Titles]> {
    return [titlesOf(this.store.items.values()), titlesOf(await this.inService())];
  }

  /** How many requests of the mirror were no reads. */
  writes(): number {
    return this.network.sent.filter(({ method }) => method !== 'GET').length;
  }
}

/** Expects the same products in some stores and in the service. Returns their titles. */
export async function expectEqual(...mirrors: readonly Mirrored[]): Promise<Titles> {
  const bySku = (items: readonly StoreItem[]): StoreItem[] =>
    items.toSorted((one, other) => (one.sku < other.sku ? -1 : 1));
  for (const one of mirrors) {
    expect(bySku([...one.store.items.values()])).toEqual(bySku(await one.inService()));
  }
  return titlesOf(mirrors[0]?.store.items.values() ?? []);
}

type Titles = Readonly<Record<string, string>>;

function titlesOf(items: Iterable<StoreItem>): Titles {
  return Object.fromEntries([...items].map(({ sku, title }) => [sku, title]));
}
