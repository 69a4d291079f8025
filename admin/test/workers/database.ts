import { env } from 'cloudflare:workers';
import type { DatabaseNumber } from '../../../test/support/databases.ts';
import { databases } from '../../../test/support/databases.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { databaseOn } from '../../src/database/open-database.ts';

/** The test database, as the operator's tool opens it. */
export const database = databaseOn(env.DB, 'tests');

/** Returns one of several databases, as the operator's tool opens it. */
export function adminIn(number: DatabaseNumber): OpenDatabase {
  return databaseOn(databases[number], 'tests', number);
}
