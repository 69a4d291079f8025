import { expect } from 'vitest';
import { resourcesOf } from '../brand.ts';
import type { TestCollection } from '../collections/collection.ts';
import { collections } from '../collections.ts';
import { databases, several } from '../databases.ts';
import type { Ending } from '../follower.ts';
import { Follower } from '../follower.ts';
import type { Homes } from './homes.ts';
import { bindingsOf } from './homes.ts';
import type { Actor } from './interleaving.ts';
import { Part } from './part.ts';

const ENDINGS: readonly Ending[] = ['saves it', 'saves it', 'loses it', 'loses its token'];

/** The clients that keep a copy of a collection, one of each. */
export class Followers extends Part {
  readonly #all = new Map<TestCollection, Follower>();

  #start(of: TestCollection, homes: Homes): Follower {
    const { client } = this.brand;
    const service = { ...several, ...bindingsOf(homes) };
    const limit = this.chance.of([1, 3, 250]);
    const follower = new Follower(client.with(client.issued, service), of, limit);
    this.#all.set(of, follower);
    return follower;
  }

  /** Reads a page of each collection. */
  async follow({ homes }: Actor): Promise<void> {
    for (const of of collections) {
      const follower = this.#all.get(of) ?? this.#start(of, homes);
      const ending = this.chance.of(ENDINGS);
      await follower.readPage(ending).catch((error: unknown) => {
        const text = String(error);
        if (text.includes(': 401 ')) expect(this.brand.deletion).not.toBe('none');
        else if (!/: (503|403) /.test(text)) this.#restart(follower, homes, error);
      });
    }
  }

  /** Starts again after an error which says that a token is no longer good, and expects a reason. Throws other errors. */
  #restart({ of }: Follower, homes: Homes, error: unknown): Follower {
    if (!String(error).includes(': 410 ')) throw error;
    expect(this.brand.resets).toBeGreaterThan(0);
    return this.#start(of, homes);
  }

  /** Expects that each comes to what the service has. */
  async expectEnd(): Promise<void> {
    for (const [of, follower] of this.#all) {
      await follower
        .catchUp()
        .catch((error: unknown) => this.#restart(follower, databases, error).catchUp());
      const now = resourcesOf(await this.brand.client.send('GET', of.path));
      const byId = now.sort((one, other) => (one.id < other.id ? -1 : 1));
      expect(this.#all.get(of)?.resources).toEqual(byId);
    }
  }
}
