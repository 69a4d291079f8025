import type { Resource, TestBrand } from './brand.ts';
import { pageOf } from './changes.ts';
import type { TestCollection } from './collections/collection.ts';

/** What a follower still has of a page after it has applied it: all, nothing, or the resources without the token. */
export type Ending = 'saves it' | 'loses it' | 'loses its token';

/** What a follower has saved. */
interface Saved {
  readonly token: string;
  readonly resources: ReadonlyMap<string, Resource>;
}

/** A client that holds a copy of a collection and keeps it equal with `GET ?since=`. It saves after each page. */
export class Follower {
  readonly of: TestCollection;
  readonly limit: number | undefined;
  readonly #brand: TestBrand;
  #saved: Saved = { token: '0', resources: new Map() };

  /** @param limit changes to a page; undefined for the service's own limit */
  constructor(brand: TestBrand, of: TestCollection, limit: number | undefined) {
    this.#brand = brand;
    this.of = of;
    this.limit = limit;
  }

  /** What it holds, in the order of a list. */
  get resources(): Resource[] {
    return [...this.#saved.resources.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /**
   * Reads a page from the saved token, and applies it.
   * @param db may fail: then nothing is applied
   * @returns whether there is more: as the answer says, or because the page was not saved
   * @throws Error for an answer that no follower can use
   */
  async readPage(ending: Ending = 'saves it', db?: D1Database): Promise<boolean> {
    const { token, resources } = this.#saved;
    const limit = this.limit === undefined ? '' : `&limit=${this.limit}`;
    const path = `${this.of.path}?since=${token}${limit}`;
    const answer = await this.#brand.send('GET', path, undefined, { ...(db && { db }) });
    if (db && answer.status >= 500) return true;
    const { resources: changed, deleted, since, next } = pageOf(answer);
    this.#assertPage([...changed.map(({ id }) => id), ...deleted], since, next);

    // A token of 0 starts again, whatever there is already.
    const applied = new Map(token === '0' ? [] : resources);
    for (const resource of changed) applied.set(resource.id, resource);
    for (const id of deleted) applied.delete(id);
    if (ending !== 'loses it') {
      this.#saved = { token: ending === 'saves it' ? since : token, resources: applied };
    }
    return ending !== 'saves it' || next !== undefined;
  }

  /** Reads until there is no more. Nothing else may write meanwhile. */
  async catchUp(): Promise<void> {
    while (await this.readPage());
  }

  #assertPage(ids: readonly string[], since: string, next: string | undefined): void {
    const most = this.limit ?? 250;
    if (ids.length > most) throw new Error(`A page of ${most} has ${ids.length} changes.`);
    if (new Set(ids).size < ids.length)
      throw new Error(`A page names a resource twice: ${ids.join()}`);
    if (next === undefined) return;
    if (ids.length < most) throw new Error(`A page of ${ids.length} announces another.`);
    if (!next.includes(`since=${since}`)) throw new Error(`${next} does not go on at ${since}.`);
  }
}
