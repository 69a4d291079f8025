import { newId } from '../src/collection/identifier.ts';
import type { Sql } from '../src/db/sql.ts';
import { placeholder, raw, sql } from '../src/db/sql.ts';
import { now } from '../src/db/statement.ts';
import { apiKeys, auditTrail, brands, moves } from '../src/db/tables.ts';
import { brand, isAway, moveId, moveIs, out, selectMove } from './conditions.ts';
import type { Move } from './move.ts';
import { columnsOf, names } from './lists.ts';
import { moveOf } from './open.ts';
import type { Database } from './transaction.ts';
import { transact } from './transaction.ts';

/** Which brand moves where. */
export interface Plan {
  readonly brandId: string;
  readonly source: number;
  readonly target: number;
  readonly actor: string;
}

const columns = names(columnsOf(moves));

/**
 * Begins a move: notes it in the source. A brand that moves already goes on.
 * @returns the move, which may be an earlier one to another database; undefined if the brand is not at home in the source,
 *   or is being deleted
 */
export async function beginMove(source: Database, plan: Plan): Promise<Move | undefined> {
  const ofBrand = sql`${moves.brandId} = ${brand}`;
  const isOpen = sql`(${moves.state} = 'copying' or ${moves.state} = 'aborted')`;
  const before = await transact(source, { brand: plan.brandId }, [selectMove]);
  const values = {
    ...{ brand: plan.brandId, move: newId(), target: plan.target, actor: plan.actor },
    // A call that arrives late, after another move, begins nothing.
    ...{ seen: Number(before.rows[0]?.[0]?.['generation'] ?? 0), none: '{}', act: newId() },
  };
  const generation = sql`coalesce((select generation from ${moves} where ${ofBrand}), 0)`;
  const { rows } = await transact(source, values, [
    // A brand without keys is being deleted: nobody would delete its copy.
    sql`insert into ${moves} (${columns})
      select ${brand}, ${moveId}, 1 + ${generation}, 'out', ${placeholder('target')},
        0, null, 'copying', ${now}, ${now}, ${placeholder('actor')}, null, 0, 0, 0, ${placeholder('none')}, ${placeholder('none')}, 0, 0
      from ${brands} where ${brands.id} = ${brand} and ${generation} = ${placeholder('seen')} and exists (select 1 from ${apiKeys} where ${apiKeys.brandId} = ${brand})
        and not ${moveIs(sql`${ofBrand} and (${isAway} or ${isOpen})`)}
      on conflict (brand_id) do update set ${raw(
        columnsOf(moves)
          .map((name) => `${name} = excluded.${name}`)
          .join(),
      )}`,
    noteMove('brand.move.begin', out('copying')),
    selectMove,
  ]);
  const [row] = rows.at(-1) ?? [];
  const move = row && moveOf(row, plan.source);
  // One that is committed only goes on where it was to go.
  return row?.['state'] === 'gone' && move?.target !== plan.target ? undefined : move;
}

/** Returns the statement that records what happened to a move, if it has this state. */
export function noteMove<N extends string>(
  action: 'brand.move.begin' | 'brand.move.done' | 'brand.move.abort',
  condition: Sql<N>,
): Sql<N | 'act'> {
  return sql`insert into ${auditTrail} (id, at, action, brand_id, key_id, actor, details)
    select ${placeholder('act')}, ${now}, ${raw(`'${action}'`)}, ${moves.brandId}, null, ${moves.actor},
      json_object('to', ${moves.peer}, 'reason', ${moves.reason}, 'failedCommits', ${moves.failedCommits})
    from ${moves} where ${condition} on conflict do nothing`;
}
