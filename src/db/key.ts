import type { Column, Placeholder, SQLWrapper, SQL } from 'drizzle-orm';
import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { select } from './selection.ts';
import { isThisKey, perCall, statement } from './statement.ts';
import { apiKeys } from './tables.ts';

// Every statement takes its brand from the row of the request's key, by `brand` or `mine`. `statement` refuses one that does
// not.
//
// The session binds one time for all statements of a call, which decides whether the key is live. SQLite's own `now` moves on
// between them: a key that expires half-way would leave half of the work.

/** What a request may do, by its method. */
export type Access = 'read' | 'write';

/** SQL condition on a key: it is neither revoked nor, at this time, expired. */
export function keyIsLiveAt(time: SQL | Placeholder): SQL | undefined {
  return and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, time)));
}

const isLive = keyIsLiveAt(perCall.now);

/** SQL condition on a key: it is that of the request, and may do what the request does. BrandSession says why not. */
const may = and(
  isThisKey,
  isLive,
  isNull(apiKeys.suspendedAt),
  isNull(apiKeys.movedTo),
  sql`(${perCall.access} = 'read' or ${apiKeys.scope} = 'write' and ${apiKeys.frozenAt} is null)`,
);

/**
 * SQL: the brand of the request's key. It is NULL, which matches no row, if the key may not do what the request does.
 *
 * After `from`, it is a table with the column `brand_id`, which has no row in place of NULL.
 */
export const brand = sql<string>`(select ${apiKeys.brandId} from ${apiKeys} where ${may})`;

/** SQL condition: rows of the key's brand that meet further conditions. */
export function mine(
  { brandId }: { readonly brandId: Column },
  ...conditions: readonly (SQLWrapper | undefined)[]
): SQL {
  const more = conditions.map((condition) => condition && sql`${condition}`);
  return sql`${and(eq(brandId, brand), ...more)}`;
}

/** Looks the request's key up. There is no row if it is not live, unless its brand is in another database. */
export const selectKey = statement(() =>
  select({
    brandId: apiKeys.brandId,
    scope: apiKeys.scope,
    suspendedAt: apiKeys.suspendedAt,
    frozenAt: apiKeys.frozenAt,
    /** The number of the database that has the brand, if it is another one. */
    movedTo: apiKeys.movedTo,
    /** Whether the statements of the call have found the brand. */
    may: sql<number>`${may}`,
  })
    .from(apiKeys)
    .where(and(isThisKey, or(isLive, isNotNull(apiKeys.movedTo)))),
);
