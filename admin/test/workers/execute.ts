import { env } from 'cloudflare:workers';
import type { DatabaseNumber } from '../../../test/support/databases.ts';
import { databases } from '../../../test/support/databases.ts';
import type { OpenDatabase } from '../../src/execute.ts';
import { executeOn } from '../../src/execute.ts';

/** The test database, as the operator's tool opens it. */
export const execute = executeOn(env.DB, 'tests');

/** Returns one of several databases, as the operator's tool opens it. */
export function adminIn(number: DatabaseNumber): OpenDatabase {
  return executeOn(databases[number], 'tests', number);
}
