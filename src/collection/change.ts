import type { SQL } from 'drizzle-orm';
import { and, or, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type { Values } from '../db/columns.ts';
import { requireEntry } from '../db/columns.ts';
import { dependentAfterChange } from '../db/dependents.ts';
import type { Precondition } from '../db/precondition.ts';
import { meets, preconditionHolds, preconditionValues } from '../db/precondition.ts';
import type { FieldName, Params } from '../db/statement.ts';
import {
  databaseTime,
  db,
  fieldParam,
  fieldValues,
  memoize,
  perCall,
  statement,
} from '../db/statement.ts';
import { AlreadyExists, NotFound, PreconditionFailed } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/json-response.ts';
import { otherRowWith, storedValues } from './row.ts';
import type { SingleResource } from './single-resource.ts';
import { selectOne } from './single-resource.ts';

interface ChangeOptions<V> {
  /** SQL for fields that every change computes from the row, such as one more than a column has. */
  readonly computed?: { readonly [K in keyof V]?: SQL };
  /** SQL condition on the row as it was. NULL does not hold: say what a column that is null means. */
  readonly onlyIf?: SQL;
  /** Returns the error of a row that does not meet `onlyIf`. */
  readonly otherwise?: () => Error;
}

/**
 * Returns the function that changes one resource to these values, and answers with it as it is now. It honours `If-Match` and
 * `If-None-Match`. If no value differs, it writes nothing. A change gets a new revision, and the next number for followers.
 *
 * Example: `change(products)(c, id, { featured: true })`.
 */
export function change<V extends Values>(
  of: SingleResource<V>,
  { computed = {}, onlyIf, otherwise }: ChangeOptions<V> = {},
): (c: Context<ApiEnv>, id: string, values: Partial<V>) => Promise<Response> {
  const { noun, table, writable, dependents, unique } = of;

  // The row's own column: the key's row would be read once more.
  const ownBrand = sql`${table}.brand_id`;

  /** SQL for the fields that depend on one that is set to these values. */
  const dependentValues = (values: Readonly<Record<string, SQL>>): Record<string, SQL> => {
    const after = dependents && values[dependents.on];
    if (!dependents || !after) return {};
    const before = requireEntry(writable, dependents.on);
    return Object.fromEntries(
      Object.keys(dependents.ifNull).map((field) => {
        const own = requireEntry(writable, field);
        return [field, dependentAfterChange(dependents, field, own, before, after)];
      }),
    );
  };

  const update = memoize((fields: readonly string[]) =>
    statement((p: Params<'id' | keyof Precondition | FieldName>) => {
      const named = fields.map((field) => [field, sql`${fieldParam(field)}`] as const);
      const values: Readonly<Record<string, SQL>> = { ...computed, ...Object.fromEntries(named) };
      const differences = Object.entries(values).map(
        // Binary collation: a code in another case is a change, whatever the column's collation.
        ([field, value]) => sql`${requireEntry(writable, field)} is not ${value} collate binary`,
      );
      const newUnique = unique && values[unique.name];
      return db
        .update(table)
        .set({
          ...dependentValues(values),
          ...values,
          ...(of.nextChange && { changeNumber: of.nextChange }),
          revision: sql`${perCall.tryId}`,
          updatedAt: databaseTime,
        })
        .where(
          and(
            of.isMine(p.id),
            preconditionHolds(table.revision, p),
            or(...differences),
            onlyIf,
            newUnique && sql`not exists ${otherRowWith(of, ownBrand, newUnique, p.id)}`,
          ),
        )
        .returning({ revision: table.revision });
    }),
  );
  const read = statement((p: Params<'id' | 'newUnique'>) =>
    selectOne(of, p.id, {
      isTaken: sql<number>`exists ${otherRowWith(of, ownBrand, p.newUnique, p.id)}`,
      isAllowed: onlyIf ? sql<number>`${onlyIf}` : sql<number>`true`,
    }),
  );

  return async (c, id, values) => {
    const precondition = readPrecondition(c.req.raw.headers);
    const newValues = storedValues(of, values, id);
    const newUnique = (unique && newValues[unique.name]) ?? null;
    const fields = Object.keys(newValues);
    const isEmpty = fields.length === 0 && Object.keys(computed).length === 0;

    const [changed, [row]] = await c.get('session').batch([
      isEmpty
        ? undefined
        : update(fields)({
            id,
            ...preconditionValues(precondition),
            ...fieldValues(newValues),
          }),
      read({ id, newUnique }),
    ]);
    if (row === undefined) throw new NotFound(noun);
    if (changed.length === 0) {
      if (!meets(row.revision, precondition)) throw new PreconditionFailed();
      if (row.isTaken) throw new AlreadyExists(noun, String(newUnique));
      if (otherwise && !row.isAllowed) throw otherwise();
    }
    return resourceResponse(c, of.toBody(row), row.revision);
  };
}
