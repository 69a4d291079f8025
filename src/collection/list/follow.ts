import { asc, eq, getTableName, gt, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { newestChange, tombstoneExpiry } from '../../db/change-numbers.ts';
import { brand, mine } from '../../db/key.ts';
import { select } from '../../db/selection.ts';
import type { Params } from '../../db/statement.ts';
import { opaqueLimit, statement } from '../../db/statement.ts';
import { tombstones } from '../../db/tables.ts';
import { InvalidRequest, TokenExpired } from '../../errors.ts';
import { checksum } from '../../hash.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { readBounded, selectListed } from '../bounded.ts';
import type { Collection } from '../collection.ts';
import { toResource } from '../row.ts';
import type { ChangeToken } from './change-token.ts';
import { encodeToken } from './change-token.ts';
import type { ListQuery } from './query.ts';
import { MAX_LIMIT, nextLink } from './query.ts';

/**
 * GET of a list with `since`: the resources that changed after the token was issued, each once, as it is now, in the
 * order of its last change, and the ids of deleted resources. A client that applies page after page has exactly the
 * service's resources after the page without a `Link`.
 */
export function follow(
  collection: Collection,
): (
  c: Context<ApiEnv>,
  query: Pick<ListQuery, 'limit'> & { readonly since: ChangeToken },
) => Promise<Response> {
  const { path, keys, table } = collection;

  const selectDeletions = statement((p: Params<'deletionsAfter' | 'limit'>) =>
    select({
      changeNumber: tombstones.changeNumber,
      id: tombstones.id,
      isExpired: sql<number>`${tombstones.deletedAt} <= ${tombstoneExpiry}`,
    })
      .from(tombstones)
      .where(
        mine(
          tombstones,
          eq(tombstones.collection, path),
          gt(tombstones.changeNumber, p.deletionsAfter),
        ),
      )
      .orderBy(asc(tombstones.changeNumber))
      .limit(opaqueLimit(p.limit)),
  );
  const selectNewest = statement(() =>
    select({ newest: newestChange(collection, brand) }).from(sql`(select 1)`),
  );
  const selectChanged = statement((p: Params<'after' | 'limit' | 'maxBytes'>) => {
    const index = sql.identifier(`${getTableName(table)}_by_change`);
    return select(selectListed(collection, p.maxBytes, { changeNumber: table.changeNumber }))
      .from(sql`${table} indexed by ${index}`)
      .where(mine(table, gt(table.changeNumber, p.after)))
      .orderBy(asc(table.changeNumber))
      .limit(opaqueLimit(p.limit));
  });

  return async (c, { since, limit = MAX_LIMIT }) => {
    const { after, deletionsAfter } = since;
    const isStart = since.brand === undefined;
    const { rows, hasMore, deletions, newest } = await readBounded(
      limit,
      async (count, maxBytes) => {
        const [deletions, [newest], rows] = await c
          .get('session')
          .batch([
            selectDeletions({ deletionsAfter, limit: limit + 1 }),
            isStart ? selectNewest({}) : undefined,
            selectChanged({ after, limit: count, maxBytes }),
          ]);
        return { rows, deletions, newest: newest?.newest ?? 0 };
      },
    );

    const mark = checksum(c.get('session').brandId ?? '');
    if (!isStart && since.brand !== mark) {
      throw new InvalidRequest([{ path: 'since', message: 'expected a token of this brand' }]);
    }
    if (deletions.some(({ isExpired }) => isExpired)) throw new TokenExpired();

    // Beyond the last resource that fits, only deletions are known.
    const end = hasMore ? (rows.at(-1)?.changeNumber ?? after) : Infinity;
    const numbers = [...rows, ...deletions]
      .map(({ changeNumber }) => changeNumber)
      .filter((number) => number <= end)
      .sort((one, other) => one - other);
    const reached = numbers.slice(0, limit).at(-1) ?? after;
    const token = encodeToken(collection, {
      brand: mark,
      after: reached,
      deletionsAfter: Math.max(reached, isStart ? newest : deletionsAfter),
    });
    if (hasMore || numbers.length > limit) {
      c.header('Link', nextLink(c.req.url, 'since', token));
    }
    return c.json({
      [keys.many]: rows
        .filter(({ changeNumber }) => changeNumber <= reached)
        .map((row) => toResource(collection, row)),
      [keys.deletedMany]: deletions
        .filter(({ changeNumber }) => changeNumber <= reached)
        .map(({ id }) => id),
      since: token,
    });
  };
}
