import { leftNewestTombstone, newestChange, recentTombstones } from '../db/change-order.ts';
import { preconditionInSql, preconditionValues } from '../db/precondition.ts';
import { literal, raw, sql } from '../db/sql.ts';
import {
  bind,
  isOurs,
  keyBrand,
  newStem,
  now,
  selectWithKey,
  statement,
  thisTry,
  uncheckedBrand,
  writableBrand,
} from '../db/statement.ts';
import { tombstones } from '../db/tables.ts';
import { NotFound, PreconditionFailed } from '../errors.ts';
import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import type { ItemOperation } from '../http/operation.ts';
import type { Collection } from './collection.ts';
import { rowById } from './row.ts';

/**
 * DELETE: deletes a resource permanently. It leaves a tombstone, which reports the deletion to clients that follow
 * changes.
 */
export function deleteOperation(collection: Collection): ItemOperation {
  const { path, noun, keys, table } = collection;
  // Of the row to delete, so that the key is looked up once.
  const brand = sql`${table.brandId}`;

  const leaveTombstone = statement(sql`
    insert into ${tombstones} (brand_id, collection, change_number, id, request, deleted_at)
    select ${table.brandId}, ${literal(path)}, 1 + ${newestChange(table, path, brand)}, ${table.id}, ${thisTry}, ${now}
    from ${table} where ${rowById(collection, writableBrand)} and ${preconditionInSql(table.revision)}`);
  const deleteRow = statement(sql`
    delete from ${table}
    where ${rowById(collection, uncheckedBrand)} and ${leftNewestTombstone(path, brand)}`);
  const outcome = selectWithKey({
    columns: sql`${table.revision}`,
    join: sql`${table} on ${rowById(collection, keyBrand)}`,
    // A retry finds the tombstone of the try whose acknowledgement was lost, even after later deletions.
    hasWritten: sql`(${leftNewestTombstone(path, keyBrand)} or exists (
      select 1 from ${recentTombstones(path, keyBrand)} where ${isOurs(raw('request'))}))`,
  });

  return async (c, readId) => {
    const [precondition] = checkAll(c, () => readPrecondition(c.req.raw.headers));
    const id = readId();
    const values = { id, stem: newStem(), ...preconditionValues(precondition) };

    const { keyRow } = await c
      .get('session')
      .run([bind(leaveTombstone, values), bind(deleteRow, values)], bind(outcome, values));

    if (!keyRow['has_written']) {
      if (keyRow['revision'] === null) throw new NotFound(noun);
      throw new PreconditionFailed();
    }
    return c.json({ [keys.deleted]: id, success: true });
  };
}
