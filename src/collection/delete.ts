import { sql } from 'drizzle-orm';
import { literal, newestChange, recentTombstones, tombstonesOf } from '../db/change-order.ts';
import { preconditionInSql, preconditionValues } from '../db/precondition.ts';
import {
  uncheckedBrand,
  writableBrand,
  keyBrand,
  now,
  selectWithKey,
  statement,
} from '../db/statement.ts';
import { tombstones } from '../db/tables.ts';
import { NotFound, PreconditionFailed } from '../errors.ts';
import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import type { Collection } from './collection.ts';
import { readId } from './identifier.ts';
import type { Operation } from '../http/operation.ts';
import { rowById } from './row.ts';

/**
 * DELETE: deletes a resource permanently. It leaves a tombstone, which reports the deletion to clients that follow
 * changes.
 */
export function deleteOperation(collection: Collection): Operation {
  const { path, noun, keys, table } = collection;
  const request = sql.placeholder('request');
  const newestRequest = sql`(select request from ${tombstonesOf(path, uncheckedBrand)} order by change_number desc limit 1)`;

  const leaveTombstone = statement(sql`
    insert into ${tombstones} (brand_id, collection, change_number, id, request, created_at, deleted_at)
    select ${table.brandId}, ${literal(path)}, 1 + ${newestChange(table, path, writableBrand)}, ${table.id}, ${request}, ${table.createdAt}, ${now}
    from ${table} where ${rowById(collection, writableBrand)} and ${preconditionInSql(table.revision)}`);
  const deleteRow = statement(sql`
    delete from ${table} where ${rowById(collection, uncheckedBrand)} and ${newestRequest} is ${request}`);
  const outcome = selectWithKey({
    columns: sql`${table.revision}`,
    join: sql`${table} on ${rowById(collection, keyBrand)}`,
    // A retry finds the tombstone of the try whose acknowledgement was lost, even after later deletions.
    hasWritten: sql`(${newestRequest} is ${request} or exists (
      select 1 from ${recentTombstones(path, uncheckedBrand)} as recent where recent.request = ${request}))`,
  });

  return async (c) => {
    const [precondition] = checkAll(c, () => readPrecondition(c.req.raw.headers));
    const id = readId(c, collection);
    const values = { id, request: crypto.randomUUID(), ...preconditionValues(precondition) };

    const { last } = await c.var.session.run(
      [
        { statement: leaveTombstone, values },
        { statement: deleteRow, values },
      ],
      { statement: outcome, values },
    );

    if (!last['has_written']) {
      if (last['revision'] === null) throw new NotFound(noun);
      throw new PreconditionFailed();
    }
    return c.json({ [keys.deleted]: id, success: true });
  };
}
