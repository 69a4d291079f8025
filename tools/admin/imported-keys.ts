import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys } from '../../src/db/tables.ts';
import { keyIsLiveAt } from '../../src/db/key.ts';
import { databaseTime } from '../../src/db/statement.ts';

// An export has no hashes of keys. So an imported key has a hash that no key has, and no client can use it; it can be
// rotated, and its successor works.

/** What the hash of an imported key begins with: no SHA-256 of a key will ever be found that does. */
const MARK = '0'.repeat(32);

/** Returns the hash of an imported key: as long as a SHA-256, and as unique as its id. */
export function hashOfImported(keyId: string): string {
  return MARK + keyId.replaceAll('-', '');
}

/** SQL condition: the key was imported. */
export const keyIsImported: SQL = sql`${apiKeys.hash} glob ${`${MARK}*`}`;

/** SQL condition: the key is neither revoked nor expired, and there is a text of it. */
export const keyIsUsable: SQL = sql`${keyIsLiveAt(databaseTime)} and not ${keyIsImported}`;
