import type { SQL } from 'drizzle-orm';
import { and, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type { Precondition } from '../db/precondition.ts';
import { preconditionHolds, preconditionValues } from '../db/precondition.ts';
import { select } from '../db/selection.ts';
import type { Params } from '../db/statement.ts';
import { databaseTime, db, statement } from '../db/statement.ts';
import { tombstones } from '../db/tables.ts';
import { NotFound, PreconditionFailed } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readPrecondition } from '../http/conditional.ts';
import type { Collection } from './collection.ts';

/**
 * DELETE: deletes a resource permanently. It leaves a tombstone, which reports the deletion to clients that follow
 * changes.
 */
export function remove(
  collection: Collection,
): (c: Context<ApiEnv>, id: string) => Promise<Response> {
  const { path, noun, keys, table, isMine, nextChange } = collection;

  const target = (p: Params<'id' | keyof Precondition>): SQL | undefined =>
    and(isMine(p.id), preconditionHolds(table.revision, p));
  const leaveTombstone = statement(
    (p: Params<'id' | keyof Precondition>) => sql`
      insert into ${tombstones} (brand_id, collection, change_number, id, deleted_at)
      select ${table.brandId}, ${path}, ${nextChange}, ${table.id}, ${databaseTime}
      from ${table} where ${target(p)}`,
  );
  const deleteRow = statement((p: Params<'id' | keyof Precondition>) =>
    db.delete(table).where(target(p)).returning({ id: table.id }),
  );
  const find = statement((p: Params<'id'>) =>
    select({ id: table.id }).from(table).where(isMine(p.id)),
  );

  return async (c, id) => {
    const values = { id, ...preconditionValues(readPrecondition(c.req.raw.headers)) };

    const [, deleted, found] = await c
      .get('session')
      .batch([leaveTombstone(values), deleteRow(values), find({ id })]);

    if (deleted.length === 0) {
      throw found.length === 0 ? new NotFound(noun) : new PreconditionFailed();
    }
    return c.json({ [keys.deleted]: id, success: true });
  };
}
