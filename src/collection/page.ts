import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { BrandSession } from '../db/brand-session.ts';
import { jsonOfColumns } from '../db/json.ts';
import type { SqlValue, Statement } from '../db/statement.ts';
import { answering, readingBrand, statement } from '../db/statement.ts';
import { statementCache } from '../db/statement-cache.ts';
import type { Collection } from './collection.ts';
import { MAX_LIMIT } from './list-query.ts';
import type { Listed } from './representation.ts';
import { toListed } from './representation.ts';

/** The most resources in a chunk. */
const CHUNK = 1024;

/** The JSON text that a chunk should come to at most, in bytes. */
const CHUNK_LENGTH = 4_000_000;

/** The resources by which the length of a chunk is judged. */
const SAMPLE = 4;

/** Where to begin in a list, and what to leave out. */
export interface Place {
  /** The values that fields must have, and `updatedSince`. */
  readonly filters: Readonly<Record<string, SqlValue>>;
  /** The id after which to begin; empty to begin at the beginning. */
  readonly after: string;
}

/** Which resources of a collection to read. */
export interface Page extends Place {
  readonly limit: number;
}

/** Some resources of a list. */
export interface Chunk {
  readonly resources: readonly Listed[];
  readonly isLast: boolean;
}

/** What reads parts of a list, oldest first. */
interface Pages {
  page(session: BrandSession, page: Page): Promise<Listed[]>;
  chunk(session: BrandSession, place: Place): Promise<Chunk>;
}

/**
 * Makes what reads pages of a collection. A page is a range of the primary key, so that it costs the same wherever it
 * lies, and none is skipped or read twice while rows come and go.
 *
 * A chunk is a page as long as is good for memory: D1 itself judges by the first few rows how many will fit, in the
 * same call, so that a list of usual products is one call and one of huge products still does not fill the memory.
 * What a selective filter finds is few as a rule: it is read without that, in chunks no longer than a page may be.
 */
export function pages(collection: Collection): Pages {
  const { table, shown } = collection;
  const json = (): SQL => jsonOfColumns(shown);
  const after = sql`${table.brandId} = ${readingBrand} and ${table.id} > ${sql.placeholder('after')}`;
  const reading = (limit: () => SQL): ((names: readonly string[]) => Statement) =>
    statementCache((names) => {
      const index = names.map((name) => collection.filters[name]?.index).find((name) => name);
      return statement(
        () => sql`
        select ${table.id}, ${json()} as json
        from ${table} ${index === undefined ? sql`` : sql`indexed by ${sql.identifier(index)}`}
        where ${after} ${sql.join(names.map((name) => sql` and ${condition(collection, name)}`))}
        order by ${table.id} limit ${limit()}`,
      );
    });
  const fitting = (): SQL => sql`
    select cast(max(1, min(${sql.raw(`${CHUNK}, ${CHUNK_LENGTH}`)} / coalesce(avg(octet_length(${json()})), 1))) as integer)
    from (select * from ${table} where ${after} order by ${table.id} limit ${sql.raw(String(SAMPLE))}) as ${table}`;
  const pageOf = reading(() => sql`${sql.placeholder('limit')}`);
  const chunkOf = reading(() => sql`(${fitting()})`);
  const chunkLimit = answering(() => sql`(${fitting()}) as fitting`);

  const page: Pages['page'] = async (session, { filters, after, limit }) => {
    const values = { ...filters, after, limit };
    const { rows } = await session.run([{ statement: pageOf(Object.keys(filters)), values }]);
    return rows[0]?.map(toListed) ?? [];
  };

  return {
    page,

    async chunk(session, { filters, after }) {
      const names = Object.keys(filters);
      if (names.some((name) => collection.filters[name]?.isSelective)) {
        const resources = await page(session, { filters, after, limit: MAX_LIMIT });
        return { resources, isLast: resources.length < MAX_LIMIT };
      }
      const values = { ...filters, after };
      const { rows, answer } = await session.run([{ statement: chunkOf(names), values }], {
        statement: chunkLimit,
        values,
      });
      const resources = rows[0]?.map(toListed) ?? [];
      return { resources, isLast: resources.length < Number(answer['fitting']) };
    },
  };
}

function condition({ table, filters }: Collection, name: string): SQL {
  const value = sql.placeholder(name);
  return name === 'updatedSince'
    ? sql`${table.updatedAt} >= ${value}`
    : sql`${filters[name]?.column} = ${value}`;
}
