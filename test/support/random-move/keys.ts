import { expect } from 'vitest';
import type { Execute } from '../../../tools/admin/execute.ts';
import type { IssuedKey } from '../../../tools/admin/keys.ts';
import { issueKey, revokeKey, rotateKey } from '../../../tools/admin/keys.ts';
import type { TestBrand } from '../brand.ts';
import type { Done, Homes } from './homes.ts';
import { command } from './homes.ts';
import type { Actor } from './interleaving.ts';
import { Part } from './part.ts';

interface Key {
  readonly client: TestBrand;
  state: 'live' | 'dead' | 'unknown';
}

/** The keys that the operator issues and ends, and the client that tries them. */
export class Keys extends Part {
  readonly #all: Key[] = [];

  get live(): readonly Key[] {
    return this.#all.filter(({ state }) => state === 'live');
  }

  async issue(homes: Homes): Promise<void> {
    this.#add(await command(homes, (execute) => issueKey(execute, this.brand.id, {})));
  }

  async revoke(homes: Homes): Promise<void> {
    await this.#end(homes, revokeKey);
  }

  async rotate(homes: Homes): Promise<void> {
    this.#add(await this.#end(homes, (execute, keyId) => rotateKey(execute, keyId, 0, {})));
  }

  #add(issued: Done<IssuedKey> | undefined): void {
    if (issued) this.#all.push({ client: this.brand.client.with(issued.result), state: 'live' });
  }

  /** Ends a live key. Until the answer arrives, nobody knows whether it is dead. */
  async #end<T>(
    homes: Homes,
    end: (execute: Execute, keyId: string) => Promise<T>,
  ): Promise<Done<T> | undefined> {
    const key = this.chance.of(this.live);
    key.state = 'unknown';
    const done = await command(homes, (execute) => end(execute, key.client.issued.keyId));
    key.state = done ? 'dead' : 'live';
    return done;
  }

  /** Reads with one of the keys, and expects that it is accepted if it is live. */
  async tryOne(reader: Actor): Promise<void> {
    if (this.#all.length === 0) return;
    const key = this.chance.of(this.#all);
    const before = key.state;
    const { status } = await this.brand.send(reader, ['GET', '/profile'], key.client);
    if (this.brand.deletion !== 'none') return;
    if (before === 'dead') expect([401, 503]).toContain(status);
    if (before === 'live' && key.state === 'live') expect([200, 403, 503]).toContain(status);
  }

  async expectEnd(): Promise<void> {
    for (const { client, state } of this.#all) {
      const { status } = await client.send('GET', '/profile');
      if (state !== 'unknown') expect(status, state).toBe(state === 'live' ? 200 : 401);
    }
  }
}
