import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { BrandSession } from '../db/brand-session.ts';
import { jsonOfColumns } from '../db/json.ts';
import { selectWithKey } from '../db/statement.ts';
import { jsonResponse } from '../http/json-response.ts';
import { streamedBody } from '../http/streamed-body.ts';
import type { Collection } from './collection.ts';
import type { ListPosition } from './list-query.ts';
import { MAX_LIMIT } from './list-query.ts';
import type { ListOperation } from './operation.ts';
import type { ReadPage } from './page.ts';
import { afterPosition, selectFrom } from './page.ts';
import type { ListedResource } from './representation.ts';
import { listedResource } from './representation.ts';

/** The most resources in a chunk. */
const CHUNK = 1024;

/** The target for the JSON text of a chunk, in bytes. */
const CHUNK_LENGTH = 4_000_000;

/** The number of rows from which the size of a chunk is estimated. */
const SAMPLE = 4;

/** GET of a list without `limit`: the whole list, oldest first, streamed in chunks so that memory stays bounded. */
export function listAll(collection: Collection, readPage: ReadPage): ListOperation<ListPosition> {
  const readChunk = chunks(collection, readPage);

  return async (c, position) => {
    const read = async (after: string): Promise<Part> => {
      const { resources, isLast } = await readChunk(c.var.session, { ...position, after });
      const text = resources.map(({ json }) => json).join();
      return { text, next: isLast ? undefined : resources.at(-1)?.id };
    };
    const head = `{${JSON.stringify(collection.keys.many)}:[`;
    const first = await read('');
    // A HEAD response has no body, so the rest is not read.
    if (c.req.method === 'HEAD') return jsonResponse(c, '');
    if (first.next === undefined) return jsonResponse(c, `${head}${first.text}]}`);
    const { body, finished } = streamedBody(pieces(head, first, read), c.req.raw.signal);
    c.set('finished', finished);
    return jsonResponse(c, body);
  };
}

/** Some resources of a list. */
interface Chunk {
  readonly resources: readonly ListedResource[];
  readonly isLast: boolean;
}

/**
 * Returns a function that reads a chunk: a page whose length depends on the size of the rows. D1 estimates in the same
 * call, from the first few rows, how many fit. So a list of ordinary products takes one call, and huge products do not
 * exhaust memory. A selective filter usually finds few rows, so its results are read in pages.
 */
function chunks(
  collection: Collection,
  readPage: ReadPage,
): (session: BrandSession, position: ListPosition) => Promise<Chunk> {
  const { table, shown } = collection;
  const fitting: SQL = sql`
    select cast(max(1, min(${sql.raw(`${CHUNK}, ${CHUNK_LENGTH}`)} / coalesce(avg(octet_length(${jsonOfColumns(shown)})), 1))) as integer)
    from (select * from ${table} where ${afterPosition(collection)} order by ${table.id} limit ${sql.raw(String(SAMPLE))}) as ${table}`;
  const select = selectFrom(collection, sql`(${fitting})`);
  const limit = selectWithKey({ columns: sql`(${fitting}) as fitting` });

  return async (session, position) => {
    const names = Object.keys(position.filters);
    if (names.some((name) => collection.filters[name]?.isSelective)) {
      const resources = await readPage(session, position, MAX_LIMIT);
      return { resources, isLast: resources.length < MAX_LIMIT };
    }
    const values = { ...position.filters, after: position.after };
    const { rows, last } = await session.run([{ statement: select(names), values }], {
      statement: limit,
      values,
    });
    const resources = rows[0]?.map(listedResource) ?? [];
    return { resources, isLast: resources.length < Number(last['fitting']) };
  };
}

/** A part of a list as JSON text. */
interface Part {
  readonly text: string;
  /** The id after which the next part begins; undefined if this is the last. */
  readonly next: string | undefined;
}

/**
 * Yields the JSON text of a list in parts. The first part is read before anything is sent and determines the status. A
 * later failure aborts the body, so that an incomplete list never looks complete.
 * @param head the JSON text before the first resource
 * @param read reads the part after an id
 */
async function* pieces(
  head: string,
  first: Part,
  read: (after: string) => Promise<Part>,
): AsyncGenerator<string, void> {
  yield head + first.text;
  for (let { next } = first; next !== undefined;) {
    const part = await read(next);
    next = part.next;
    // An empty part follows if the one before it was full and the list ended there.
    if (part.text !== '') yield `,${part.text}`;
  }
  yield ']}';
}
