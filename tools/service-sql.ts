import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as changeOrder from '../src/db/change-order.ts';
import type { Sql } from '../src/db/sql.ts';
import { sql as sqlOfService } from '../src/db/sql.ts';
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

function forTools(part: Sql): SQL {
  return sql.raw(service.statement(part).text);
}
