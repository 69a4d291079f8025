import { asc, gt, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { requireEntry } from '../../db/columns.ts';
import { keyBrand, ownRows } from '../../db/key.ts';
import { select } from '../../db/selection.ts';
import { fieldValues, opaqueLimit, placeholderOf, statement, memoize } from '../../db/statement.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import type { Collection } from '../collection.ts';
import { toResource } from '../row.ts';
import type { BoundedRows, ListedRow } from './bounded.ts';
import { completeList, readBounded, selectListed } from './bounded.ts';
import { sqlCondition, filtersOf } from './filters.ts';
import { followOperation } from './follow.ts';
import type { ListQuery } from './query.ts';
import { encodeCursor, nextLink } from './query.ts';

/** The most resources that one call to D1 reads of a complete list. */
const CHUNK = 1024;

/** GET of a collection: the whole list, oldest first; with `limit` one page; with `since` what changed. */
export function listOperation(
  collection: Collection,
): (c: Context<ApiEnv>, query: ListQuery) => Promise<Response> {
  const { keys, table } = collection;
  const filters = filtersOf(collection);
  const follow = followOperation(collection);

  // A page is a range of the primary key. So every page costs the same, and concurrent inserts and deletions neither skip
  // nor repeat a row.
  const selectPage = memoize((names: readonly string[]) =>
    statement(['after', 'limit', 'maxBytes', ...names.map(placeholderOf)], (p) => {
      const conditions = names.map((name) =>
        sqlCondition(filters, name, requireEntry(p, placeholderOf(name))),
      );
      const index = conditions.map((condition) => condition.index).find((found) => found);
      // Looked up by their ids, the rows are no range of the primary key.
      const isById = conditions.some(({ column }) => column === table.id);
      const id = isById ? sql`+${table.id}` : sql`${table.id}`;
      return select(selectListed(collection, p.maxBytes))
        .from(sql`${table} ${index && sql`indexed by ${sql.identifier(index)}`}`)
        .where(
          ownRows(
            table.brandId,
            keyBrand.read,
            gt(id, p.after),
            ...conditions.map((condition) => condition.sql),
          ),
        )
        .orderBy(asc(table.id))
        .limit(opaqueLimit(p.limit));
    }),
  );

  return async (c, { since, limit, after, conditions }) => {
    if (since !== undefined) return follow(c, { since, limit });
    const select = selectPage(Object.keys(conditions));
    const values = fieldValues(conditions);
    const read = (start: string, count: number): Promise<BoundedRows<ListedRow>> =>
      readBounded(count, async (fewer, maxBytes) => ({
        rows: await c
          .get('session')
          .read(select({ ...values, after: start, limit: fewer, maxBytes })),
      }));

    if (limit === undefined) {
      let last = after;
      const next = async (): Promise<BoundedRows<ListedRow>> => {
        const { rows, hasMore } = await read(last, CHUNK);
        last = rows.at(-1)?.id ?? last;
        return { rows, hasMore: hasMore || rows.length === CHUNK };
      };
      const first = await next();
      return completeList(c, {
        key: keys.many,
        first,
        next,
        toResource: (row) => toResource(collection, row),
      });
    }

    // One row more than requested shows whether there is another page.
    const { rows, hasMore } = await read(after, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    if (last && (hasMore || rows.length > limit)) {
      c.header('Link', nextLink(c.req.url, 'cursor', encodeCursor(collection, last.id)));
    }
    return c.json({ [keys.many]: page.map((row) => toResource(collection, row)) });
  };
}
