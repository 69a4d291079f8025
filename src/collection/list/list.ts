import type { BrandSession } from '../../db/brand-session.ts';
import type { Sql } from '../../db/sql.ts';
import { identifier, join, placeholder, sql } from '../../db/sql.ts';
import { bind, readableBrand, statement, upToLimit } from '../../db/statement.ts';
import { checkAll } from '../../http/checks.ts';
import type { OperationWith } from '../../http/operation.ts';
import { cached, lazy } from '../../lazy.ts';
import type { Collection } from '../collection.ts';
import type { ListedResource } from '../representation.ts';
import { listedResource } from '../representation.ts';
import { listChanges } from './changes.ts';
import { encodeCursor } from './cursor.ts';
import { inlineLimitFor, inlineLimit, jsonOrLength, largeResources } from './large-resources.ts';
import type { ListPosition, ListQuery } from './query.ts';
import type { Part } from './response.ts';
import { inParts, listResponse } from './response.ts';

/** The most resources that one call to D1 reads of a complete list. */
const CHUNK = 1024;

/** GET of a collection: the whole list, oldest first; with `limit` one page; with `since` what changed. */
export function listOperation(collection: Collection): OperationWith<ListQuery> {
  const readPage = pages(collection);
  const readLargeFor = largeResources(collection);
  const changes = lazy(() => listChanges(collection, readLargeFor));
  const envelope = { before: `{"${collection.keys.many}":[`, after: ']}' };

  return async (c, readParameters) => {
    const [{ since, limit, ...position }] = checkAll(c, readParameters);
    const session = c.get('session');
    if (since !== undefined) return changes()(c, { since, limit });
    if (limit === undefined) {
      return listResponse(c, { ...envelope, parts: allParts(session, position) });
    }
    // One row more than requested shows whether there is another page.
    const found = await readPage(session, position, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return listResponse(c, {
      ...envelope,
      parts: inParts(page, readLargeFor(session)),
      ...(found.length > limit && last && { next: { cursor: encodeCursor(collection, last.id) } }),
    });
  };

  /** Yields the whole list from a position in chunks, so that memory stays bounded. */
  async function* allParts(
    session: BrandSession,
    { filters, after: start }: ListPosition,
  ): AsyncGenerator<Part, void> {
    for (let after: string | undefined = start; after !== undefined;) {
      const resources = await readPage(session, { filters, after }, CHUNK);
      after = resources.length < CHUNK ? undefined : resources.at(-1)?.id;
      for await (const { text, isLast } of inParts(resources, readLargeFor(session))) {
        yield { text, isLast: isLast && after === undefined };
      }
    }
  }
}

/** Reads up to `limit` resources after a position, oldest first. */
type ReadPage = (
  session: BrandSession,
  position: ListPosition,
  limit: number,
) => Promise<ListedResource[]>;

/**
 * Returns a function that reads pages of a collection. A page is a range of the primary key. So every page costs the
 * same, and concurrent inserts and deletions neither skip nor repeat a row.
 */
function pages(collection: Collection): ReadPage {
  const { table } = collection;
  const select = cached((names: readonly string[]) => {
    const index = names.map((name) => collection.filters[name]?.index).find((name) => name);
    return statement(sql`
      select ${table.id}, ${jsonOrLength(collection, inlineLimit)} as json
      from ${table} ${index !== undefined && sql`indexed by ${identifier(index)}`}
      where ${table.brandId} = ${readableBrand} and ${table.id} > ${placeholder('after')}
        ${join(
          names.map((name) => sql` and ${condition(collection, name)}`),
          '',
        )}
      order by ${table.id} ${upToLimit}`);
  });

  return async (session, { filters, after }, limit) => {
    const values = { after, limit, inline: inlineLimitFor(limit) };
    const filterValues: Record<`filter.${string}`, string | number | null> = {};
    for (const [name, value] of Object.entries(filters)) filterValues[`filter.${name}`] = value;
    const page = bind(select(Object.keys(filters)), { ...filterValues, ...values });
    const { rows } = await session.run([page]);
    return rows[0]?.map(listedResource) ?? [];
  };
}

function condition({ table, filters }: Collection, name: string): Sql<`filter.${string}`> {
  const value = placeholder(`filter.${name}` as const);
  return name === 'updatedSince'
    ? sql`${table.updatedAt} >= ${value}`
    : sql`${filters[name]?.column} = ${value}`;
}
