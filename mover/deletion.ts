import type { Sql } from '../src/db/sql.ts';
import { join, placeholder, raw, sql } from '../src/db/sql.ts';
import { now } from '../src/db/statement.ts';
import { apiKeys, brands, idempotencyRecords, moves, tombstones } from '../src/db/tables.ts';
import { brand, into, isOurRun, moveIs, out } from './conditions.ts';
import { noteArrival } from './claim.ts';
import type { List } from './lists.ts';
import { START } from './move.ts';
import type { Run } from './run.ts';
import { valuesOf } from './run.ts';
import { transact } from './transaction.ts';

// What a brand has left behind, or what a move that is given up has copied, is deleted in steps: D1 aborts a statement that
// takes too long. Each step checks the move again, and the state changes with the last one.

/** Deletes what the target has of an earlier stay of the brand. Its keys stay. */
export async function clearTarget(run: Run): Promise<void> {
  const condition = sql`${into('clearing')} and ${isOurRun}`;
  await transact(run.target, valuesOf(run), [
    ...deleteSome(run.lists, condition),
    sql`update ${moves} set state = 'copying', changed_at = ${now} where ${condition} and not ${someLeft(run.lists)}`,
  ]);
}

/**
 * Deletes the data that the brand has left in the source, some days after. The brand's row and its keys stay.
 * @returns whether the time has come, and the state of the move
 */
export async function tidySource(
  run: Run,
): Promise<{ readonly isDue: boolean; readonly isTidied: boolean }> {
  const isDue = sql`${moves.changedAt} <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${placeholder('kept')})`;
  const condition = sql`${out('gone')} and ${isDue}`;
  const kept = `-${run.limits.days} days`;
  const { rows } = await transact(run.source, { ...valuesOf(run), kept }, [
    ...deleteSome(run.lists, condition),
    sql`select ${moveIs(condition)} as is_due`,
    sql`update ${moves} set state = 'tidied', changed_at = ${now} where ${condition} and not ${someLeft(run.lists)}`,
    sql`select ${moveIs(out('gone'))} as is_left`,
  ]);
  return {
    isDue: rows.at(-3)?.[0]?.['is_due'] === 1,
    isTidied: rows.at(-1)?.[0]?.['is_left'] === 0,
  };
}

/**
 * Deletes the copy of a move that is given up. It is noted in the target even if nothing has arrived there: a late call may
 * still want to begin.
 * @returns whether nothing is left
 */
export async function dropCopy(run: Run): Promise<boolean> {
  const dropped = into('aborted');
  const isNew = sql`${dropped} and ${moves.isReturn} = 0`;
  const values = { ...valuesOf(run), start: JSON.stringify(START), none: '{}' };
  const { rows } = await transact(run.target, values, [
    sql`update ${moves} set state = 'aborted', changed_at = ${now} where (${into('clearing')}) or (${into('copying')})`,
    noteArrival('aborted'),
    ...deleteSome(run.lists, dropped),
    deletion(apiKeys, 'hash', isNew),
    sql`delete from ${brands} where ${brands.id} = ${brand} and ${moveIs(isNew)} and not ${someLeft(run.lists)}
      and not exists (select 1 from ${apiKeys} where ${apiKeys.brandId} = ${brand})`,
    sql`select ${moveIs(dropped)} and (${someLeft(run.lists)} or ${moveIs(isNew)} and exists (select 1 from ${brands} where ${brands.id} = ${brand})) as is_left`,
  ]);
  return rows.at(-1)?.[0]?.['is_left'] === 0;
}

/** Returns the statements that delete some of a brand's data, if there is a move like this. */
function deleteSome(lists: readonly List[], condition: Sql<string>): Sql<string>[] {
  return dataOf(lists).map(({ table, key }) => deletion(table, key, condition));
}

function deletion(table: List['rows']['table'], key: string, condition: Sql<string>): Sql<string> {
  const some = sql`select ${raw(key)} from ${table} where brand_id = ${brand} and ${moveIs(condition)} limit ${placeholder('deletions')}`;
  return sql`delete from ${table} where brand_id = ${brand} and (${raw(key)}) in (${some})`;
}

/** SQL condition: there is data of the brand. */
function someLeft(lists: readonly List[]): Sql<'brand'> {
  const exist = dataOf(lists).map(
    ({ table }) => sql`exists (select 1 from ${table} where brand_id = ${brand})`,
  );
  return sql`(${join(exist, ' or ')})`;
}

function dataOf(lists: readonly List[]): readonly { table: List['rows']['table']; key: string }[] {
  return [
    ...lists.map(({ rows: { table } }) => ({ table, key: 'id' })),
    { table: tombstones, key: 'collection, change_number' },
    { table: idempotencyRecords, key: 'key' },
  ];
}

/** Notes in the source that the copy of a move that was given up is deleted: another move may begin. */
export async function closeMove(run: Run): Promise<void> {
  await transact(run.source, valuesOf(run), [
    sql`update ${moves} set state = 'over', changed_at = ${now} where ${out('aborted')}`,
  ]);
}
