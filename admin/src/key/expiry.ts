import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { databaseTime, apiKeys } from '../../../src/operator.ts';
import { fromNow } from './keys.ts';

/** How long before its expiry a key may expire soon, in seconds. */
export const SOON = 30 * 86_400;

/**
 * SQL condition: the key expires within this time, at most a third of its lifetime is left, and nothing has replaced it. So
 * a key that was just issued never expires soon, however short its life is. Those that have expired are not read, because
 * the times are a range of an index.
 * @param seconds `SOON`, or what the operator has chosen
 */
export function expiresSoon(seconds: number): SQL {
  return sql`${apiKeys.expiresAt} > ${databaseTime} and ${apiKeys.expiresAt} <= ${fromNow(seconds)}
    and 3 * (unixepoch(${apiKeys.expiresAt}, 'subsec') - unixepoch('now', 'subsec')) <= unixepoch(${apiKeys.expiresAt}, 'subsec') - unixepoch(${apiKeys.createdAt}, 'subsec')
    and ${apiKeys.replacedBy} is null`;
}
