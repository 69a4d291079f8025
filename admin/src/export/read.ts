import type { Execute, Row } from '../execute.ts';
import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/collection/collection.ts';
import { apiKeys, auditTrail, brands, idempotencyRecords } from '../../../src/db/tables.ts';
import type { ExportedRow } from './exported-row.ts';
import { versionsOf } from './fingerprint.ts';
import type { Part } from './parts.ts';

/** How many rows of a part are read per call, and how many bytes their values may have: they are in memory. */
const ROWS = 5000;
const BYTES = 4 * 1024 * 1024;

/** The column that says whether there are rows after those of the page. */
const HAS_MORE = 'has_more';

export interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** The last row, if there are more after it. */
  readonly last: Row | undefined;
}

/**
 * Returns the statement that reads the rows of a part after another row: as many as fit, and at least one.
 * @param after the last row of the page before
 */
function selectPage(part: Part, brandId: string, after?: Row): SQL {
  const { table, columns } = part;
  const exported = Object.values(columns);
  const key = names(part.order);
  const rest =
    after === undefined
      ? sql``
      : sql`and (${key}) > (${sql.join(
          part.order.map(({ name }) => sql`${after[name]}`),
          sql`, `,
        )})`;
  const rows = sql`from ${table} where ${ofBrand(part, brandId)} ${rest} order by ${key}`;
  // SQLite knows the length of a stored text without reading it.
  const bytes = sql.join(
    exported.map(({ name }) => sql`coalesce(octet_length(${sql.identifier(name)}), 0)`),
    sql` + `,
  );
  const sizes = sql`select sum(bytes) over (order by ${key} rows unbounded preceding) as total
    from (select ${key}, ${bytes} as bytes ${rows} limit ${ROWS + 1})`;
  return sql`with page as (
      select max(1, min(${ROWS}, count(*) filter (where total <= ${BYTES}))) as size, count(*) as found from (${sizes})
    )
    select ${names(exported)}, (select found > size from page) as ${sql.identifier(HAS_MORE)}
    ${rows} limit (select size from page)`;
}

export interface BrandReader {
  /** What the further statements of the first call returned. */
  readonly further: readonly (readonly Row[])[];
  /** Whether the first call has read everything, so that it is of one moment. */
  readonly isWhole: boolean;
  /** Reads a part, page by page. */
  readonly pagesOf: (part: Part) => AsyncGenerator<Page>;
}

/**
 * Reads the first page of each part in one call: brands that have little of a collection are many, and a call of wrangler
 * takes a second. The other pages are read when they are asked for.
 * @param further statements to run in that call
 */
export async function readBrand(
  execute: Execute,
  brandId: string,
  parts: readonly Part[],
  ...further: SQL[]
): Promise<BrandReader> {
  const results = await execute(...further, ...parts.map((part) => selectPage(part, brandId)));
  const firstPages = new Map(
    parts.map((part, index) => [part, pageOf(part, results[further.length + index] ?? [])]),
  );
  return {
    further: results.slice(0, further.length),
    isWhole: [...firstPages.values()].every(({ last }) => last === undefined),
    pagesOf: async function* (part) {
      for (let page = firstPages.get(part); page !== undefined;) {
        yield page;
        const { last } = page;
        if (last === undefined) return;
        const [rows] = await execute(selectPage(part, brandId, last));
        page = pageOf(part, rows);
      }
    },
  };
}

/** Yields the rows of some parts, one after another. */
export async function* rowsOf(
  { pagesOf }: BrandReader,
  parts: readonly Part[],
): AsyncGenerator<ExportedRow> {
  for (const part of parts) {
    for await (const { items } of pagesOf(part)) {
      for (const values of items) yield { part, values };
    }
  }
}

function pageOf(part: Part, rows: readonly Row[]): Page {
  const last = rows.at(-1);
  return {
    items: rows.map((row) => itemOf(part, row)),
    last: last?.[HAS_MORE] === 1 ? last : undefined,
  };
}

function itemOf({ columns, json }: Part, row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([member, column]) => {
      const value = row[column.name] ?? null;
      if (member === json) return [member, JSON.parse(String(value))];
      return [member, value === null ? null : column.mapFromDriverValue(value)];
    }),
  );
}

/**
 * Returns the statement that reads of a brand how many rows each part has, by its name; what of it is `unfinished`; to which
 * database it has left (`movedTo`); and what `fingerprintOf` takes (`versions`). The whole row differs after every change of
 * the brand: the numbers of changes and the times never go back.
 */
export function selectState(
  parts: readonly Part[],
  collections: readonly Collection[],
  brandId: string,
): SQL {
  const newest = [
    sql`(select max(at) from ${auditTrail} where brand_id = ${brandId})`,
    sql`(select max(created_at) from ${idempotencyRecords} where brand_id = ${brandId})`,
  ];
  const counts = parts.map(
    (part) =>
      sql`(select count(*) from ${part.table} where ${ofBrand(part, brandId)}) as ${sql.identifier(part.name)}`,
  );
  const versions = versionsOf(collections);
  return sql`select json_array(${versions}, ${sql.join(newest, sql`, `)}) as newest, ${versions} as versions, ${brands.unfinished},
      (select max(moved_to) from ${apiKeys} where brand_id = ${brandId}) as "movedTo", ${sql.join(counts, sql`, `)}
    from ${brands} where ${brands.id} = ${brandId}`;
}

function ofBrand({ owner, condition }: Part, brandId: string): SQL {
  const isOwn = sql`${sql.identifier(owner.name)} = ${brandId}`;
  return condition === undefined ? isOwn : sql`${isOwn} and ${condition}`;
}

function names(columns: readonly Column[]): SQL {
  return sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}
