import { asc, gt, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { requireEntry } from '../../db/columns.ts';
import { mine } from '../../db/key.ts';
import { select } from '../../db/selection.ts';
import type { FieldName, Params } from '../../db/statement.ts';
import { fieldParam, fieldValues, memoize, opaqueLimit, statement } from '../../db/statement.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import type { BoundedRows, ListedRow } from '../bounded.ts';
import { readBounded, selectListed } from '../bounded.ts';
import type { Collection } from '../collection.ts';
import { completeList } from '../complete-list.ts';
import { toResource } from '../row.ts';
import type { Condition } from './filters.ts';
import { filtersOf, sqlCondition, unsearched } from './filters.ts';
import { follow } from './follow.ts';
import type { ListQuery } from './query.ts';
import { encodeCursor, nextLink } from './query.ts';

/** The most resources that one call to D1 gives of a complete list. */
const CHUNK = 1024;

/** GET of a collection: the whole list, oldest first; with `limit` one page; with `since` what changed. */
export function list(
  collection: Collection,
): (c: Context<ApiEnv>, query: ListQuery) => Promise<Response> {
  const { keys, table } = collection;
  const filters = filtersOf(collection);
  const followChanges = follow(collection);

  // A page is a range of the primary key. So every page costs the same, and concurrent inserts and deletions neither skip
  // nor repeat a row.
  const selectPage = memoize(
    (conditions: readonly Omit<Condition, 'value'>[]) => {
      return statement((p: Params<'after' | 'limit' | 'maxBytes' | FieldName>) => {
        const used = conditions.map(({ filter, isList }) => ({
          ...requireEntry(filters, filter),
          isList,
          value: fieldParam(filter),
        }));
        // One filter finds the rows, and the others check them: SQLite would look up each value of one with each of another.
        const searched =
          used.find(({ index }) => index !== undefined) ??
          used.find(({ column }) => column === table.id);
        const index = searched?.index;
        const id = searched === undefined ? sql`${table.id}` : unsearched(table.id);
        return select(selectListed(collection, p.maxBytes, {}))
          .from(sql`${table} ${index && sql`indexed by ${sql.identifier(index)}`}`)
          .where(
            mine(
              table,
              gt(id, p.after),
              ...used.map((filter) =>
                sqlCondition(filter, filter.isList, filter.value, filter === searched),
              ),
            ),
          )
          .orderBy(asc(table.id))
          .limit(opaqueLimit(p.limit));
      });
    },
    (conditions) => conditions.map(({ filter, isList }) => [filter, isList].join(' ')).join(),
  );

  return async (c, { since, limit, after, conditions }) => {
    if (since !== undefined) return followChanges(c, { since, limit });
    const select = selectPage(conditions);
    const values = fieldValues(
      Object.fromEntries(conditions.map(({ filter, value }) => [filter, value])),
    );
    const read = (start: string, atMost: number): Promise<BoundedRows<ListedRow>> =>
      readBounded(atMost, async (count, maxBytes) => {
        const page = select({ ...values, after: start, limit: count, maxBytes });
        const [rows] = await c.get('session').batch([page]);
        return { rows };
      });

    if (limit === undefined) {
      let last = after;
      const next = async (): Promise<BoundedRows<ListedRow>> => {
        const part = await read(last, CHUNK);
        last = part.rows.at(-1)?.id ?? last;
        return part;
      };
      const first = await next();
      return completeList(c, {
        key: keys.many,
        first,
        next,
        toResource: (row) => toResource(collection, row),
      });
    }

    const { rows, hasMore } = await read(after, limit);
    const last = rows.at(-1);
    if (last && hasMore) {
      c.header('Link', nextLink(c.req.url, 'cursor', encodeCursor(collection, last.id)));
    }
    return c.json({ [keys.many]: rows.map((row) => toResource(collection, row)) });
  };
}
