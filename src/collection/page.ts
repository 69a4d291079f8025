import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { BrandSession } from '../db/brand-session.ts';
import { readableBrand, statement } from '../db/statement.ts';
import { statementCache } from '../db/statement-cache.ts';
import type { Collection } from './collection.ts';
import { inlineLength, jsonOrLength } from './large-resources.ts';
import type { ListPosition } from './list-query.ts';
import type { ListedResource } from './representation.ts';
import { listedResource } from './representation.ts';

/** Reads up to `limit` resources after a position, oldest first. */
export type ReadPage = (
  session: BrandSession,
  position: ListPosition,
  limit: number,
) => Promise<ListedResource[]>;

/**
 * Returns a function that reads pages of a collection. A page is a range of the primary key. So every page costs the
 * same, and concurrent inserts and deletions neither skip nor repeat a row.
 */
export function pages(collection: Collection): ReadPage {
  const { table } = collection;
  const select = statementCache((names) => {
    const index = names.map((name) => collection.filters[name]?.index).find((name) => name);
    return statement(sql`
      select ${table.id}, ${jsonOrLength(collection)} as json
      from ${table} ${index === undefined ? sql`` : sql`indexed by ${sql.identifier(index)}`}
      where ${table.brandId} = ${readableBrand} and ${table.id} > ${sql.placeholder('after')}
        ${sql.join(names.map((name) => sql` and ${condition(collection, name)}`))}
      order by ${table.id} limit ${sql.placeholder('limit')}`);
  });

  return async (session, { filters, after }, limit) => {
    const values = { ...filters, after, limit, inline: inlineLength(limit) };
    const { rows } = await session.run([{ statement: select(Object.keys(filters)), values }]);
    return rows[0]?.map(listedResource) ?? [];
  };
}

function condition({ table, filters }: Collection, name: string): SQL {
  const value = sql.placeholder(name);
  return name === 'updatedSince'
    ? sql`${table.updatedAt} >= ${value}`
    : sql`${filters[name]?.column} = ${value}`;
}
