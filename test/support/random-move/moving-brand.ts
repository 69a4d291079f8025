import { expect } from 'vitest';
import type { Finding } from '../../../tools/admin/check/check.ts';
import { faultsOfBrands } from '../../../tools/admin/check/check.ts';
import type { Answer } from '../brand.ts';
import { TestBrand } from '../brand.ts';
import { databases, several } from '../databases.ts';
import type { Home, Homes } from './homes.ts';
import { bindingsOf, executesOn, HOMES } from './homes.ts';
import type { Actor } from './interleaving.ts';
import type { Possible } from './possible.ts';

/** A request below the address of the API. */
export type Request = readonly [
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
];

/** What a write changes. */
export type Effect = readonly [of: Possible, value: string | null];

/** The brand that moves, and what was done to all of it. */
export class MovingBrand {
  /** It uses the first key, which nobody revokes. */
  readonly client: TestBrand;
  /** undefined if it is not known. */
  isSuspended: boolean | undefined = false;
  /** How often its tokens were reset, or may have been. */
  resets = 0;
  deletion: 'none' | 'begun' | 'done' = 'none';
  #names = 0;

  private constructor(client: TestBrand) {
    this.client = client;
  }

  static async create(): Promise<MovingBrand> {
    return new MovingBrand(await TestBrand.create('Test brand', several));
  }

  get id(): string {
    return this.client.issued.brandId;
  }

  /** Returns a text that was not used before. */
  newName(): string {
    return `${this.id.slice(-8)}-${++this.#names}`;
  }

  /** Sends a request, and expects that it is refused only if there is a reason. */
  async send(
    actor: Actor,
    [method, path, body, headers = {}]: Request,
    client = this.client,
  ): Promise<Answer> {
    const wasSuspended = this.isSuspended;
    const answer = await client.send(method, path, body, { headers, ...bindingsOf(actor.homes) });
    if (answer.status === 403) {
      // Suspended before, or meanwhile.
      expect([wasSuspended, this.isSuspended], answer.text).not.toEqual([false, false]);
    }
    if (answer.status === 401 && client === this.client) {
      expect(this.deletion, `${method} ${path}: ${answer.text}`).not.toBe('none');
    }
    return answer;
  }

  /** Sends a write, and notes its effects. Returns undefined if it was refused, or has failed. */
  async change(actor: Actor, request: Request, ...effects: Effect[]): Promise<Answer | undefined> {
    const failedBefore = actor.failed;
    const answer = await this.send(actor, request);
    if (answer.status < 300) {
      for (const [possible, value] of effects) possible.become(value);
      return answer;
    }
    const [method, path] = request;
    expect([401, 403, 503], `${method} ${path}: ${answer.text}`).toContain(answer.status);
    // Only if a call to D1 has failed, it may be done all the same.
    if (actor.failed > failedBefore) {
      for (const [possible, value] of effects) possible.mayBecome(value);
    }
    return undefined;
  }

  /** Returns the databases that accept keys of the brand. */
  async homes(): Promise<Home[]> {
    const homes: Home[] = [];
    for (const home of HOMES) {
      const key = await databases[home]
        .prepare('select 1 from api_keys where brand_id = ? and moved_to is null limit 1')
        .bind(this.id)
        .first();
      if (key !== null) homes.push(home);
    }
    return homes;
  }

  /** Expects that no two databases accept keys of the brand. */
  async expectOneHome(): Promise<void> {
    const homes = await this.homes();
    expect(homes.length, `homes: ${homes.join()}`).toBeLessThanOrEqual(1);
  }

  /** Returns what `database check` finds. */
  async faults(homes: Homes = databases): Promise<Finding[]> {
    return faultsOfBrands(executesOn(homes), [this.id]);
  }
}
