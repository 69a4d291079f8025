import type { Context } from 'hono';
import type { BrandSession } from '../../db/brand-session.ts';
import { newestChange, tombstoneExpiry, tombstonesOf } from '../../db/change-order.ts';
import { identifier, placeholder, sql } from '../../db/sql.ts';
import {
  bind,
  keyBrand,
  readableBrand,
  selectWithKey,
  statement,
  upToLimit,
} from '../../db/statement.ts';
import { InvalidRequest, TokenExpired } from '../../errors.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import type { ChangeToken } from './change-token.ts';
import { brandMark, encodeToken } from './change-token.ts';
import type { Collection } from '../collection.ts';
import type { ReadLarge } from './large-resources.ts';
import { inlineLimitFor, inlineLimit, jsonOrLength } from './large-resources.ts';
import { MAX_LIMIT } from './query.ts';
import { inParts, listResponse } from './response.ts';
import type { ListedResource } from '../representation.ts';
import { listedResource } from '../representation.ts';

/** Which changes to report: those after `since`, up to `limit` per page. */
interface ChangesQuery {
  readonly since: ChangeToken;
  readonly limit: number | undefined;
}

/** A change: a resource as it is now, or a deletion. */
interface Change extends ListedResource {
  readonly number: number;
  readonly isDeleted: boolean;
}

/**
 * GET of a list with `since`: the resources that changed after the token was issued, each once, as it is now, in the
 * order of its last change, and the ids of deleted resources. A client that applies page after page has exactly the
 * service's resources after the page without a `Link`.
 */
export function listChanges(
  collection: Collection,
  readLargeFor: (session: BrandSession) => ReadLarge,
): (c: Context<ApiEnv>, query: ChangesQuery) => Promise<Response> {
  const { path, keys, table, changeIndex } = collection;

  const deletions = statement(sql`
    select change_number, id, deleted_at <= ${tombstoneExpiry} as is_expired
    from ${tombstonesOf(path, readableBrand)} and change_number > ${placeholder('deletionsAfter')}
    order by change_number ${upToLimit}`);
  const newest = statement(sql`select ${newestChange(table, path, readableBrand)} as newest`);
  // Joined to the key lookup: a separate statement would read the key's row again on every idle poll.
  const resources = selectWithKey({
    columns: sql`${table.changeNumber}, ${table.id}, ${jsonOrLength(collection, inlineLimit)} as json`,
    join: sql`${table} indexed by ${identifier(changeIndex)}
      on ${table.brandId} = ${keyBrand} and ${table.changeNumber} > ${placeholder('after')}`,
    rest: sql`order by ${table.changeNumber} ${upToLimit}`,
  });

  return async (c, { since, limit = MAX_LIMIT }) => {
    const { after, deletionsAfter } = since;
    const isStart = since.brand === undefined;
    // One row more than requested shows whether there is another page.
    const values = { after, deletionsAfter, limit: limit + 1, inline: inlineLimitFor(limit + 1) };
    const { rows, keyRow, keyRows } = await c
      .get('session')
      .run(
        [bind(deletions, values), ...(isStart ? [bind(newest, {})] : [])],
        bind(resources, values),
      );

    const brand = brandMark(String(keyRow['brand_id']));
    if (!isStart && since.brand !== brand) {
      throw new InvalidRequest([{ path: 'since', message: 'expected a token of this brand' }]);
    }
    const [deleted = [], [start] = []] = rows;
    if (deleted.some((row) => row['is_expired'])) throw new TokenExpired();

    const changes = [...keyRows, ...deleted]
      .filter(({ id }) => id !== null)
      .map((row): Change => ({
        ...listedResource(row),
        number: Number(row['change_number']),
        isDeleted: row['json'] === undefined,
      }))
      .sort((one, other) => one.number - other.number);
    const page = changes.slice(0, limit);
    const reached = page.at(-1)?.number ?? after;
    const token = encodeToken(collection, {
      brand,
      after: reached,
      deletionsAfter: Math.max(reached, isStart ? Number(start?.['newest']) : deletionsAfter),
    });
    const deletedIds = page.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
    return listResponse(c, {
      before: `{"${keys.many}":[`,
      parts: inParts(
        page.filter(({ isDeleted }) => !isDeleted),
        readLargeFor(c.get('session')),
      ),
      after: `],"${keys.deletedMany}":${JSON.stringify(deletedIds)},"since":"${token}"}`,
      ...(changes.length > limit && { next: { since: token } }),
    });
  };
}
