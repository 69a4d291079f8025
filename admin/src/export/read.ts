import type { OpenDatabase, Row } from '../database/open-database.ts';
import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { apiKeys, auditTrail, brands, idempotencyRecords } from '../../../src/operator.ts';
import { versionsOf } from './fingerprint.ts';
import type { ExportedRow, Part } from './parts.ts';

/** How much of a part is read per call. It is in memory. */
interface Bounds {
  readonly rows: number;
  /** How many bytes the values of these rows may have. */
  readonly bytes: number;
}

const MOST: Bounds = { rows: 5000, bytes: 4 * 1024 * 1024 };

/** The column that says whether there are rows after those of the page. */
const HAS_MORE = 'has_more';

export interface PartPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** The last row, if there are more after it. */
  readonly last: Row | undefined;
}

/**
 * Returns the statement that reads the rows of a part after another row: as many as fit, and at least one.
 * @param after the last row of the page before
 */
function selectPage(part: Part, brandId: string, most: Bounds, after?: Row): SQL {
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
    from (select ${key}, ${bytes} as bytes ${rows} limit ${most.rows + 1})`;
  return sql`with page as (
      select max(1, min(${most.rows}, count(*) filter (where total <= ${most.bytes}))) as size, count(*) as found from (${sizes})
    )
    select ${names(exported)}, (select found > size from page) as ${sql.identifier(HAS_MORE)}
    ${rows} limit (select size from page)`;
}

export interface BrandReader {
  readonly brandId: string;
  /** What the further statements of the first call returned. */
  readonly further: readonly (readonly Row[])[];
  /** Whether the first call has read everything, so that it is of one moment. */
  readonly isWhole: boolean;
  /** Reads a part, page by page. */
  readonly pagesOf: (part: Part) => AsyncGenerator<PartPage>;
}

/**
 * Reads the first page of each part of a brand in one call. The other pages are read when they are asked for.
 * @param further statements to run in that call
 */
export async function readBrand(
  database: OpenDatabase,
  brandId: string,
  parts: readonly Part[],
  ...further: SQL[]
): Promise<BrandReader> {
  const [reader] = await readBrands(database, [brandId], parts, () => further);
  if (reader === undefined) throw new Error('A brand has a reader.');
  return reader;
}

/**
 * Reads the first pages of several brands in one call: most brands are small, and a call of wrangler takes a second. The
 * more brands, the smaller are these pages.
 * @param furtherOf returns further statements to run in that call, as many for each brand
 */
export async function readBrands(
  database: OpenDatabase,
  brandIds: readonly string[],
  parts: readonly Part[],
  furtherOf: (brandId: string) => readonly SQL[],
): Promise<BrandReader[]> {
  const share = {
    rows: Math.floor(MOST.rows / brandIds.length),
    bytes: Math.floor(MOST.bytes / brandIds.length),
  };
  const statements = brandIds.map((brandId) => [
    ...furtherOf(brandId),
    ...parts.map((part) => selectPage(part, brandId, share)),
  ]);
  const results = await database.run(...statements.flat());
  return brandIds.map((brandId, index) => {
    const count = results.length / brandIds.length;
    const own = results.slice(index * count, (index + 1) * count);
    const firstPages = new Map(
      parts.map((part, n) => [part, pageOf(part, own.slice(-parts.length)[n] ?? [])]),
    );
    return {
      brandId,
      further: own.slice(0, -parts.length),
      isWhole: [...firstPages.values()].every(({ last }) => last === undefined),
      pagesOf: async function* (part) {
        for (let page = firstPages.get(part); page !== undefined;) {
          yield page;
          const { last } = page;
          if (last === undefined) return;
          const [rows] = await database.run(selectPage(part, brandId, MOST, last));
          page = pageOf(part, rows);
        }
      },
    };
  });
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

function pageOf(part: Part, rows: readonly Row[]): PartPage {
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
  const versions = versionsOf(parts, collections);
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
