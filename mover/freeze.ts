import type { Sql } from '../src/db/sql.ts';
import { placeholder, sql } from '../src/db/sql.ts';
import { now } from '../src/db/statement.ts';
import { apiKeys, moves } from '../src/db/tables.ts';
import { brand, isOurRun, moveIs, out } from './conditions.ts';
import type { Run } from './run.ts';
import { valuesOf } from './run.ts';
import type { Database } from './transaction.ts';
import { transact } from './transaction.ts';

/**
 * The freeze of a brand at the end of a move: it can be read, and not be written, so that the commit finds nothing changed.
 * Only a brand that is too busy is frozen. Nothing relies on it: the commit compares all the same, so it may end at any time.
 */
export class Freeze {
  readonly #run: Run;
  #until: number | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Whether the brand is frozen by this run. */
  get isOn(): boolean {
    return this.#until !== undefined;
  }

  /** Whether it has lasted as long as it may. */
  get isOver(): boolean {
    return this.#until !== undefined && Date.now() >= this.#until;
  }

  /** Freezes the brand, if this run still has its move. */
  async begin(): Promise<void> {
    this.#until = Date.now() + this.#run.limits.frozen;
    await transact(this.#run.source, valuesOf(this.#run), [
      sql`update ${apiKeys} set frozen_at = ${now}
        where ${apiKeys.brandId} = ${brand} and ${moveIs(sql`${out('copying')} and ${isOurRun}`)}`,
    ]);
  }

  /** Ends it, if there is one. If that fails, the schedule does. */
  async end(): Promise<void> {
    if (!this.isOn) return;
    const ended = endFreezes(sql`${moves.brandId} = ${brand}`);
    await transact(this.#run.source, valuesOf(this.#run), ended).catch(() => undefined);
  }
}

/** How long a brand may be frozen before the schedule ends it, whatever happened to the mover. */
const LONGEST_FREEZE = '60 seconds';

/** For the schedule: ends the freezes of a database that have lasted a minute. */
export async function unfreeze(database: Database): Promise<void> {
  // Few brands have moved: the keys of the others are not read.
  const lasted = sql`exists (select 1 from ${apiKeys} where ${apiKeys.brandId} = ${moves.brandId}
    and ${apiKeys.frozenAt} <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${placeholder('age')}))`;
  await transact(database, { age: `-${LONGEST_FREEZE}` }, endFreezes(lasted));
}

/**
 * Returns the statements that end freezes.
 * @param condition of the moves
 */
export function endFreezes<N extends string>(condition: Sql<N>): Sql<N>[] {
  return [
    countFreezes(condition),
    sql`update ${apiKeys} set frozen_at = null where ${apiKeys.frozenAt} is not null
      and ${apiKeys.brandId} in (select ${moves.brandId} from ${moves} where ${condition})`,
  ];
}

/**
 * Returns the statement that adds to moves for how long their brands have been frozen, if they are. It stands before the
 * one that ends the freeze.
 */
export function countFreezes<N extends string>(condition: Sql<N>): Sql<N> {
  const frozenAt = sql`(select min(${apiKeys.frozenAt}) from ${apiKeys} where ${apiKeys.brandId} = ${moves.brandId})`;
  // The clock may be set back.
  const age = sql`max(0, round(86400000 * (julianday('now') - julianday(${frozenAt}))))`;
  return sql`update ${moves} set frozen_ms = frozen_ms + cast(coalesce(${age}, 0) as integer) where ${condition}`;
}
