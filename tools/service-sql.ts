import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { isAway as isAwayOfMover } from '../mover/conditions.ts';
import { listsOf } from '../mover/lists.ts';
import * as rest from '../mover/rest.ts';
import * as changeOrder from '../src/db/change-order.ts';
import type { Sql } from '../src/db/sql.ts';
import { placeholder, sql as sqlOfService } from '../src/db/sql.ts';
import * as service from '../src/db/statement.ts';
import { brands } from '../src/db/tables.ts';

// SQL of the service for the statements of tools, which take values and so use drizzle's `sql`. That would take the
// service's own SQL for a value.

/** SQL: the current time by the database's clock. */
export const now = forTools(service.now);

/** SQL condition: the key is neither revoked nor expired. */
export const keyIsLive = forTools(service.keyIsLive);

/** SQL: the number of the newest change of a collection, 0 if there is none; of the brand in a row of `brands`. */
export function newestChange(table: SQLiteTable, collection: string): SQL {
  return forTools(changeOrder.newestChange(table, collection, sqlOfService`${brands.id}`));
}

/** SQL condition on a row of `moves`: the brand is not at home in this database. */
export const isAway = forTools(isAwayOfMover);

/** SQL: the time after which records of requests are compared: the daily job deletes them later. */
export const countedSince = forTools(rest.countedSince);

/** SQL: what the commit of a move compares of a brand, with the records of requests after a time. */
export function stateOfBrand(brand: string, since: string): SQL {
  return forTools(rest.stateOf(listsOf(), placeholder('since')), { brand, since });
}

function forTools<N extends string = never>(
  part: Sql<N>,
  values?: Readonly<Record<N, string>>,
): SQL {
  const { text, names } = service.statement(part);
  const chunks = text.split(/\?(\d+)/).map((chunk, index) => {
    const name = index % 2 === 0 ? undefined : names[Number(chunk) - 1];
    return name === undefined ? sql.raw(chunk) : sql`${values?.[name]}`;
  });
  return sql.join(chunks);
}
