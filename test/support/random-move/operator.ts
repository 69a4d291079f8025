import { expect } from 'vitest';
import { unfreeze } from '../../../mover/index.ts';
import { brandName, deleteBrand, deleteRest } from '../../../tools/admin/brands.ts';
import { resumeBrand, suspendBrand } from '../../../tools/admin/suspension.ts';
import { resetTokens } from '../../../tools/admin/tokens.ts';
import { databases, PAST } from '../databases.ts';
import { dataIn } from '../moved-brand.ts';
import type { Homes } from './homes.ts';
import { command, everywhere, HOMES, messageOf } from './homes.ts';
import type { Actor } from './interleaving.ts';
import { isByChance } from './interleaving.ts';
import { Keys } from './keys.ts';
import { Part } from './part.ts';

/** The operators, who use the admin tool. */
export class Operator extends Part {
  readonly keys = new Keys(this.brand, this.chance);

  /** Does something. If an answer is lost, it is not known whether it was done. */
  async operate({ homes }: Actor): Promise<void> {
    try {
      if (this.brand.deletion !== 'done') await this.#doSomething(homes);
    } catch (error) {
      // After a lost answer, it suspends a brand that is suspended, or resumes one that is not.
      const isRepeated = messageOf(error).includes('suspended');
      if (!isRepeated && !isByChance(error)) throw error;
    }
  }

  async #doSomething(homes: Homes): Promise<void> {
    const kind = this.chance.below(12);
    if (kind <= 2 || this.keys.live.length === 0) await this.keys.issue(homes);
    else if (kind <= 5) await this.keys.revoke(homes);
    else if (kind <= 7) await this.keys.rotate(homes);
    else if (kind <= 9) await this.#suspendOrResume(homes);
    else if (kind === 10) await this.#resetTokens(homes);
    else if (this.chance.happens(0.3)) await this.#delete(homes);
    else await this.#endFreezes(homes);
  }

  async #suspendOrResume(homes: Homes): Promise<void> {
    const { id, isSuspended: before } = this.brand;
    const after = before === undefined ? this.chance.happens(0.5) : !before;
    this.brand.isSuspended = undefined;
    const change = after ? suspendBrand : resumeBrand;
    const done = await command(homes, (execute) => change(execute, id));
    this.brand.isSuspended = done ? after : before;
  }

  async #resetTokens(homes: Homes): Promise<void> {
    this.brand.resets++;
    await command(homes, (execute) => resetTokens(execute, this.brand.id));
  }

  async #delete(homes: Homes): Promise<void> {
    const { id, deletion: before } = this.brand;
    this.brand.deletion = 'begun';
    const done = await command(homes, async (execute) => {
      // A database that does not know the brand has nothing to delete, and would not say so.
      await brandName(execute, id);
      await deleteBrand(execute, id);
    });
    if (done === undefined) {
      this.brand.deletion = before;
      return;
    }
    await everywhere(homes, async (execute) => {
      if (execute.database !== done.home) await deleteRest(execute, id);
    });
    this.brand.deletion = 'done';
  }

  /** The schedule of the mover, a minute later. */
  async #endFreezes(homes: Homes): Promise<void> {
    for (const home of HOMES) {
      await databases[home]
        .prepare('update api_keys set frozen_at = ? where brand_id = ? and frozen_at is not null')
        .bind(PAST, this.brand.id)
        .run();
      await unfreeze(homes[home]);
    }
  }

  /** Runs `database check`, and expects that it finds nothing. */
  async check({ homes }: Actor): Promise<void> {
    const before = this.brand.deletion;
    const found = await this.brand.faults(homes);
    if (before === 'none' && this.brand.deletion === 'none') expect(found).toEqual([]);
  }

  /** Expects that nothing is left of the brand if it was deleted, and returns whether it was. */
  async expectDeletion(): Promise<boolean> {
    const { id, client, deletion } = this.brand;
    if (deletion === 'none') return false;
    const { status } = await client.send('GET', '/profile');
    if (status !== 401) {
      expect(deletion).not.toBe('done');
      return false;
    }
    await everywhere(databases, (execute) => deleteBrand(execute, id));
    await everywhere(databases, (execute) => deleteRest(execute, id));
    for (const home of HOMES) expect(await dataIn(home, id)).toBe(0);
    expect(await this.brand.faults()).toEqual([]);
    return true;
  }

  async expectEnd(): Promise<void> {
    const { id, client, isSuspended } = this.brand;
    expect(await this.brand.faults()).toEqual([]);
    const { status } = await client.send('GET', '/profile');
    if (isSuspended !== undefined) expect(status).toBe(isSuspended ? 403 : 200);
    // The other parts need a brand that is not suspended.
    if (status === 403) await everywhere(databases, (execute) => resumeBrand(execute, id));
    await this.keys.expectEnd();
  }
}
