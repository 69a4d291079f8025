import type { Placeholder } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { newestChange } from '../db/change-numbers.ts';
import type { OwnRows } from '../db/key.ts';
import { deleteOwn, keyBrand, selectWithKey } from '../db/key.ts';
import { preconditionHolds, preconditionNames, preconditionValues } from '../db/precondition.ts';
import { databaseTime, statement } from '../db/statement.ts';
import { tombstones } from '../db/tables.ts';
import { NotFound, PreconditionFailed } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readPrecondition } from '../http/conditional.ts';
import type { Collection } from './collection.ts';
import { joinedResource, ownResource } from './row.ts';

/**
 * DELETE: deletes a resource permanently. It leaves a tombstone, which reports the deletion to clients that follow
 * changes.
 */
export function deleteOperation(
  collection: Collection,
): (c: Context<ApiEnv>, id: string) => Promise<Response> {
  const { path, noun, keys, table } = collection;
  const names = ['id', ...preconditionNames] as const;

  const target = (p: Readonly<Record<(typeof names)[number], Placeholder>>): OwnRows<'write'> =>
    ownResource(collection, p.id, keyBrand.write, preconditionHolds(table.revision, p));
  const leaveTombstone = statement(
    names,
    (p) => sql`
      insert into ${tombstones} (brand_id, collection, change_number, id, deleted_at)
      select ${table.brandId}, ${path}, 1 + ${newestChange(collection, table.brandId)}, ${table.id}, ${databaseTime}
      from ${table} where ${target(p)}`,
  );
  const deleteRow = statement(names, (p) =>
    deleteOwn(table, target(p)).returning({ id: table.id }),
  );
  const select = statement(['id'], (p) =>
    selectWithKey({ revision: table.revision }, [joinedResource(collection, p.id)]),
  );

  return async (c, id) => {
    const values = { id, ...preconditionValues(readPrecondition(c.req.raw.headers)) };

    const { rows, joined } = await c
      .get('session')
      .run({ tombstone: leaveTombstone(values), deleted: deleteRow(values) }, select({ id }));

    if (rows.deleted.length === 0)
      throw joined[0].revision === null ? new NotFound(noun) : new PreconditionFailed();
    return c.json({ [keys.deleted]: id, success: true });
  };
}
