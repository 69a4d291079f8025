import type { MirrorItem, StoreChanges, StoreOf } from '../../client/src/mirror/index.ts';

/** The fields that the tests of the mirror copy. */
export const FIELDS = ['title', 'priceCents'] as const;

export type StoreItem = MirrorItem<(typeof FIELDS)[number]>;

/** A store as stores are: it reports every change, those of the mirror included. */
export class KeyedStore<
  K extends string,
  I extends Readonly<Record<K, string>>,
> implements StoreOf<I> {
  readonly items = new Map<string, I>();
  /** How often the mirror changed something. */
  writes = 0;
  /** Called after each change of the mirror. */
  onWrite = (): void => undefined;
  /** Whether the mirror cannot save. */
  isDown = false;
  /** Called before the mirror reads the changes. */
  onRead = async (): Promise<void> => Promise.resolve();
  readonly #key: K;
  readonly #log = new Map<string, number>();
  #changes = 0;

  /** @param key the field by which it knows its items */
  constructor(key: K) {
    this.#key = key;
  }

  /** What somebody does in the store. */
  set(item: I): void {
    this.#note(item, item[this.#key]);
  }

  delete(key: string): void {
    this.#note(undefined, key);
  }

  async changes(since?: string): Promise<StoreChanges<I>> {
    await this.onRead();
    const keys = [...this.#log].flatMap(([key, number]) =>
      number > Number(since ?? 0) ? key : [],
    );
    return {
      changed: keys.flatMap((key) => this.items.get(key) ?? []),
      // A list of all items does not have those that are gone.
      deleted: since === undefined ? [] : keys.filter((key) => !this.items.has(key)),
      since: String(this.#changes),
    };
  }

  save(item: I): Promise<void> {
    if (this.isDown) return Promise.reject(new Error('The store is down.'));
    this.writes++;
    this.#note(item, item[this.#key]);
    return Promise.resolve().then(this.onWrite);
  }

  remove(key: string): Promise<void> {
    this.writes++;
    this.#note(undefined, key);
    return Promise.resolve().then(this.onWrite);
  }

  #note(item: I | undefined, key: string): void {
    if (item === undefined) this.items.delete(key);
    else this.items.set(key, item);
    this.#log.delete(key);
    this.#log.set(key, ++this.#changes);
  }
}

/** A store that knows its items by SKU. */
export class FakeStore extends KeyedStore<'sku', StoreItem> {
  constructor() {
    super('sku');
  }

  /** What somebody does in the store. */
  put(sku: string, title: string, priceCents: number): void {
    this.set({ sku, title, priceCents });
  }
}
