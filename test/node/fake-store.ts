import type { BrandClient } from '../../client/src/index.ts';
import type { MirroredStore, MirrorItem } from '../../client/src/mirror/index.ts';
import { all } from './outcomes.ts';

/** The fields that the tests of the mirror copy. */
export const FIELDS = ['title', 'priceCents'] as const;

export type StoreItem = MirrorItem<(typeof FIELDS)[number]>;

/** A store as stores are: it reports every change, those of the mirror included. */
export class FakeStore implements MirroredStore<(typeof FIELDS)[number]> {
  readonly items = new Map<string, StoreItem>();
  /** How often the mirror changed something. */
  writes = 0;
  /** Called after each change of the mirror. */
  onWrite = (): void => undefined;
  /** Whether the mirror cannot save. */
  isDown = false;
  /** Called before the mirror reads the changes. */
  onRead = async (): Promise<void> => Promise.resolve();
  readonly #log = new Map<string, number>();
  #changes = 0;

  /** What somebody does in the store. */
  put(sku: string, title: string, priceCents: number): void {
    this.#note({ sku, title, priceCents }, sku);
  }

  delete(sku: string): void {
    this.#note(undefined, sku);
  }

  async changes(since?: string): ReturnType<MirroredStore<(typeof FIELDS)[number]>['changes']> {
    await this.onRead();
    const skus = [...this.#log].flatMap(([sku, number]) =>
      number > Number(since ?? 0) ? sku : [],
    );
    return {
      changed: skus.flatMap((sku) => this.items.get(sku) ?? []),
      // A list of all items does not have those that are gone.
      deleted: since === undefined ? [] : skus.filter((sku) => !this.items.has(sku)),
      since: String(this.#changes),
    };
  }

  save(item: StoreItem): Promise<void> {
    if (this.isDown) return Promise.reject(new Error('The store is down.'));
    this.writes++;
    this.#note(item, item.sku);
    return Promise.resolve().then(this.onWrite);
  }

  remove(sku: string): Promise<void> {
    this.writes++;
    this.#note(undefined, sku);
    return Promise.resolve().then(this.onWrite);
  }

  #note(item: StoreItem | undefined, sku: string): void {
    if (item === undefined) this.items.delete(sku);
    else this.items.set(sku, item);
    this.#log.delete(sku);
    this.#log.set(sku, ++this.#changes);
  }
}

/** What the service has, as a store would have it. */
export async function inService({ products }: BrandClient): Promise<Map<string, StoreItem>> {
  const found = await all(products.list());
  return new Map(
    found.map(({ sku, title, priceCents }) => [
      String(sku),
      { sku: String(sku), title, priceCents },
    ]),
  );
}
