import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { newestChange } from '../db/change-numbers.ts';
import type { Values } from '../db/columns.ts';
import type { RowChange } from '../db/guarded-update.ts';
import { assertPrecondition, guardedUpdates } from '../db/guarded-update.ts';
import { joinedBrand, keyBrand } from '../db/key.ts';
import type { BoundStatement } from '../db/statement.ts';
import { isOfThisCall, statement } from '../db/statement.ts';
import { AlreadyExists } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/json-response.ts';
import type { Collection } from './collection.ts';
import { otherRowWith, ownResource, resourceIn, selectResource, storedValues } from './row.ts';

/** PUT and PATCH (RFC 7396) of one resource; they differ only in their bodies. If no value differs, nothing is written. */
export function updateOperation(
  collection: Collection,
): (c: Context<ApiEnv>, id: string, values: Values) => Promise<Response> {
  const { table, noun, unique } = collection;

  // A row that stayed the same does not say why: a value may be taken, or no value may differ. So the statement that reads
  // the row afterwards looks for the taken value again.
  const updateOf = resourceChanges(collection);
  const select = statement(['id', 'unique'], (p) =>
    selectResource(collection, p.id, {
      isTaken: sql<number>`exists ${otherRowWith(collection, joinedBrand, p.unique, p.id)}`,
      isWritten: isOfThisCall(table.revision),
    }),
  );

  return async (c, id, values) => {
    const precondition = readPrecondition(c.req.raw.headers);
    const newValues = storedValues(collection, values, id);
    const newUnique = (unique && newValues[unique.name]) ?? null;

    const { joined } = await c
      .get('session')
      .run(
        { update: updateOf({ id, newValues, precondition }) },
        select({ id, unique: newUnique }),
      );

    const [row] = joined;
    const { body: resource, revision } = resourceIn(collection, row);
    assertPrecondition(row.isWritten === 1, revision, precondition);
    if (row.isTaken) throw new AlreadyExists(noun, String(newUnique));
    return resourceResponse(c, resource, revision);
  };
}

/**
 * Returns the function that builds the UPDATE for every change of one resource. A change gets the next number of its
 * collection, so that followers see it; a taken unique value keeps the UPDATE from the row.
 * @param condition a further condition on the row. NULL does not hold: say what a column that is null means
 * @param computed SQL for the fields that every change computes from the row, such as one more than a column has
 * @returns a function from a change to its statement; undefined if the change sets no field
 */
export function resourceChanges(
  collection: Collection,
  {
    condition,
    computed,
  }: { readonly condition?: SQL; readonly computed?: Readonly<Record<string, SQL>> } = {},
): (change: RowChange & { readonly id: string }) => BoundStatement | undefined {
  const { table, writable, following, unique } = collection;
  return guardedUpdates({
    table,
    columns: writable,
    following,
    ...(computed && { computed }),
    alwaysSet: { changeNumber: sql`1 + ${newestChange(collection, table.brandId)}` },
    rowCondition: (id) => ownResource(collection, id, keyBrand.write, condition),
    ...(unique && {
      collision: {
        field: unique.name,
        exists: (value: Placeholder, id: Placeholder) =>
          otherRowWith(collection, table.brandId, value, id),
      },
    }),
  });
}
