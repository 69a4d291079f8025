import { expect } from 'vitest';
import type { Move } from '../../../mover/index.ts';
import { abortMove, advance, beginMove, openMove, redirect } from '../../../mover/index.ts';
import { databases } from '../databases.ts';
import { drive, sourceOf } from '../moves.ts';
import type { Homes } from './homes.ts';
import { homeIn, HOMES } from './homes.ts';
import type { Actor } from './interleaving.ts';
import { isByChance } from './interleaving.ts';
import { Part } from './part.ts';

/** Those who move the brand, and do not know of each other. */
export class Movers extends Part {
  /** The ids of the moves that were settled. */
  readonly settled = new Set<string>();

  /** Goes on with a move, which may be new, or gives it up. */
  async moveOn({ homes }: Actor): Promise<void> {
    try {
      const move = await this.#choose(homes);
      if (move === undefined) return;
      if (this.chance.happens(0.02)) await abortMove(homeIn(homes, move.source), move, 'tests');
      else await this.#advance(homes, move);
    } catch (error) {
      if (!isByChance(error) && this.brand.deletion === 'none') throw error;
    }
  }

  async #choose(homes: Homes): Promise<Move | undefined> {
    const open = await this.#open(homes);
    if (open.length === 0 || this.chance.happens(0.2)) {
      const [source = this.chance.of(HOMES)] = await this.brand.homes();
      const target = this.chance.of(HOMES.filter((home) => home !== source));
      const plan = { brandId: this.brand.id, source, target, actor: 'tests' };
      const begun = await beginMove(homes[source], plan);
      if (begun) open.push(begun);
    }
    return open.length === 0 ? undefined : this.chance.of(open);
  }

  async #open(homes: Homes): Promise<Move[]> {
    const open: Move[] = [];
    for (const home of HOMES) {
      const move = await openMove(homes[home], home, this.brand.id);
      if (move) open.push(move);
    }
    return open;
  }

  async #advance(homes: Homes, move: Move): Promise<void> {
    const limits = {
      rows: this.chance.of([2, 10, 100]),
      bytes: 5000,
      deletions: this.chance.of([2, 50]),
      commits: this.chance.of([1, 3]),
      frozen: this.chance.of([0, 60_000]),
      days: this.chance.of([0, 7]),
    };
    const [source, target] = [homeIn(homes, move.source), homeIn(homes, move.target)];
    const { state, isSettled } = await advance(source, target, move, { limits });
    if (state === 'aborted') await this.#expectWanted(move);
    if (!isSettled) return;
    this.settled.add(move.id);
    for (const home of HOMES) {
      if (home !== move.source && home !== move.target) await redirect(homes[home], move);
    }
  }

  /** Expects that a move was given up for no other reason than that somebody wanted it. */
  async #expectWanted(move: Move): Promise<void> {
    // A run that another one has overtaken gives nothing up.
    const given = await sourceOf(move)
      .prepare(
        `select reason from moves where brand_id = ? and id = ? and state not in ('copying', 'gone', 'tidied')`,
      )
      .bind(move.brandId, move.id)
      .first();
    if (this.brand.deletion !== 'none' || given === null) return;
    expect(['tests', 'The tokens were reset.']).toContain(given['reason']);
  }

  /** Expects that all moves end. The end of one may make another one possible. */
  async expectEnd(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      for (const move of await this.#open(databases)) await drive(move, { days: 0 });
    }
  }
}
