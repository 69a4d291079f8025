import { sql } from 'drizzle-orm';
import type { BrandSession } from '../db/brand-session.ts';
import type { SqlValue } from '../db/statement.ts';
import { readingBrand, statement } from '../db/statement.ts';
import { statementCache } from '../db/statement-cache.ts';
import type { Collection } from './collection.ts';
import type { Stored } from './representation.ts';
import { represent } from './representation.ts';
import { shownColumns } from './statements.ts';

/** Which resources of a collection to read. */
export interface Page {
  /** The values that fields must have, and `updatedSince`. */
  readonly filters: Readonly<Record<string, SqlValue>>;
  /** The id after which to begin; empty to begin at the beginning. */
  readonly after: string;
  readonly limit: number;
}

/**
 * Makes what reads pages of a collection, oldest first. A page is a range of the primary key, so that it costs the same
 * wherever it lies, and none is skipped or read twice while rows come and go.
 */
export function pages(
  collection: Collection,
): (session: BrandSession, page: Page) => Promise<Stored[]> {
  const { table, filters } = collection;
  const statements = statementCache((names) => {
    const conditions = names.map((name) => {
      const value = sql.placeholder(name);
      return name === 'updatedSince'
        ? sql` and ${table.updatedAt} >= ${value}`
        : sql` and ${filters[name]?.column} = ${value}`;
    });
    const index = names.map((name) => filters[name]?.index).find((name) => name !== undefined);
    const indexed = index === undefined ? sql`` : sql` indexed by ${sql.identifier(index)}`;
    return statement(sql`select ${shownColumns(collection)} from ${table}${indexed}
      where ${table.brandId} = ${readingBrand} and ${table.id} > ${sql.placeholder('after')}${sql.join(conditions)}
      order by ${table.id} limit ${sql.placeholder('limit')}`);
  });
  return async (session, { filters: values, after, limit }) => {
    const [rows = []] = await session.run({
      statement: statements(Object.keys(values)),
      values: { ...values, after, limit },
    });
    return rows.map((row) => represent(collection, row));
  };
}
