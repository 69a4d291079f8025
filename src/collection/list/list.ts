import { asc, eq, gt, gte, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { requireEntry } from '../../db/columns.ts';
import { keyBrand, ownRows } from '../../db/key.ts';
import type { BoundStatement, SqlValue } from '../../db/statement.ts';
import { db, limitOf, statement, variants } from '../../db/statement.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import type { Collection } from '../collection.ts';
import { show } from '../row.ts';
import type { Bounded, ListedRow } from './bounded.ts';
import { readBounded, selectListed } from './bounded.ts';
import { completeList } from './complete.ts';
import { encodeCursor } from './cursor.ts';
import { followOperation } from './follow.ts';
import { nextLink } from './next-link.ts';
import type { ListPosition, ListQuery } from './query.ts';

/** The most resources that one call to D1 reads of a complete list. */
const CHUNK = 1024;

/** GET of a collection: the whole list, oldest first; with `limit` one page; with `since` what changed. */
export function listOperation(
  collection: Collection,
): (c: Context<ApiEnv>, query: ListQuery) => Promise<Response> {
  const { keys } = collection;
  const select = selectPages(collection);
  const follow = followOperation(collection);

  return async (c, { since, limit, filters, after }) => {
    if (since !== undefined) return follow(c, { since, limit });
    const read = (start: string, count: number): Promise<Bounded<ListedRow>> =>
      readBounded(count, async (most, bytes) =>
        c.get('session').read(select(filters, { after: start, limit: most, most: bytes })),
      );

    if (limit === undefined) {
      const readChunk = async (start: string): Promise<Bounded<ListedRow>> => {
        const { rows, isCut } = await read(start, CHUNK);
        return { rows, isCut: isCut || rows.length === CHUNK };
      };
      return completeList(c, {
        key: keys.many,
        first: await readChunk(after),
        next: async (last) => readChunk(last?.id ?? after),
        show: (row) => show(collection, row),
      });
    }

    // One row more than requested shows whether there is another page.
    const { rows, isCut } = await read(after, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    if (last && (isCut || rows.length > limit)) {
      c.header('Link', nextLink(c.req.url, { cursor: encodeCursor(collection, last.id) }));
    }
    return c.json({ [keys.many]: page.map((row) => show(collection, row)) });
  };
}

/** The values of a page's own placeholders: the greatest number of rows, and the greatest length of the texts of each. */
type PageValues = Readonly<Record<'after', string> & Record<'limit' | 'most', number>>;

/**
 * Returns a function that binds the query of a page. A page is a range of the primary key. So every page costs the same,
 * and concurrent inserts and deletions neither skip nor repeat a row.
 */
function selectPages(
  collection: Collection,
): (filters: ListPosition['filters'], values: PageValues) => BoundStatement<ListedRow> {
  const { table, filters } = collection;
  const selectFiltered = variants((names: readonly string[]) =>
    statement(['after', 'limit', 'most', ...names.map(filterName)], (p) => {
      const index = names.map((name) => filters[name]?.index).find((found) => found);
      const conditions = names.map((name) => {
        const value = requireEntry(p, filterName(name));
        return name === 'updatedSince'
          ? gte(table.updatedAt, value)
          : eq(requireEntry(filters, name).column, value);
      });
      return db
        .select(selectListed(collection, p.most))
        .from(
          sql`${table} ${index === undefined ? sql`` : sql`indexed by ${sql.identifier(index)}`}`,
        )
        .where(ownRows(table.brandId, keyBrand.read, gt(table.id, p.after), ...conditions))
        .orderBy(asc(table.id))
        .limit(limitOf(p.limit));
    }),
  );

  return (given, values) => {
    const named: Record<FilterName, SqlValue> = {};
    for (const [name, value] of Object.entries(given)) named[filterName(name)] = value;
    return selectFiltered(Object.keys(given))({ ...named, ...values });
  };
}

type FilterName = `filter.${string}`;

/** The name of the placeholder for the value of a filter. */
function filterName(name: string): FilterName {
  return `filter.${name}`;
}
