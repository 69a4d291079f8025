import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { newestChange } from '../db/change-numbers.ts';
import type { RowChange } from '../db/guarded-update.ts';
import { guardedUpdates } from '../db/guarded-update.ts';
import { keyBrand } from '../db/key.ts';
import type { BoundStatement } from '../db/statement.ts';
import type { Collection } from './collection.ts';
import { otherRowWith, ownResource } from './row.ts';

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
