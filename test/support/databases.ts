import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { FurtherDatabases, Service } from './brand.ts';
import { standard, TestBrand } from './brand.ts';
import { collections } from './collections.ts';
import type { Intercept } from './intercept-d1.ts';
import { interceptD1 } from './intercept-d1.ts';
import { createBrand } from './operator.ts';
import type { Execute, Row } from './statements.ts';
import { statementsOn } from './statements.ts';

export type DatabaseNumber = 0 | 1 | 2 | 3;

const NUMBERS: readonly DatabaseNumber[] = [0, 1, 2, 3];

type ByNumber<T> = Readonly<Record<DatabaseNumber, T>>;

export const databases = { 0: env.DB, 1: env.OTHER_1, 2: env.OTHER_2, 3: env.OTHER_3 };

const further = ({ 1: DB_1, 2: DB_2, 3: DB_3 }: ByNumber<D1Database>): FurtherDatabases => ({
  DB_1,
  DB_2,
  DB_3,
});

/** The service over all of them. */
export const several: Service = { ...standard, databases: further(databases) };

/** Creates the tables in all of them. */
export async function migrateAll(): Promise<void> {
  for (const number of NUMBERS) await applyD1Migrations(databases[number], env.MIGRATIONS);
}

export function executeIn(number: DatabaseNumber): Execute {
  return statementsOn(databases[number]);
}

export async function brandIn(number: DatabaseNumber): Promise<TestBrand> {
  const brand = await TestBrand.create('Test brand', several);
  return number === 0
    ? brand
    : brand.with(await createBrand(executeIn(number), 'Test brand', number));
}

/** The databases as a request gets them. */
export interface Watched {
  readonly options: { readonly db: D1Database; readonly databases: FurtherDatabases };
  /** The number of calls to each database that was called. */
  readonly calls: Partial<Record<DatabaseNumber, number>>;
  /** Where the sessions of each were told to begin. */
  readonly starts: Partial<Record<DatabaseNumber, unknown[]>>;
}

/**
 * Watches the calls to each database.
 * @param intercepts what stands between the service and a database
 */
export function watch(intercepts: Partial<ByNumber<Intercept>> = {}): Watched {
  const calls: Watched['calls'] = {};
  const starts: Watched['starts'] = {};
  const watched = (number: DatabaseNumber): D1Database => {
    const intercept = intercepts[number] ?? ((call) => call());
    return interceptD1(
      databases[number],
      (call, on, method, args) => {
        calls[number] = (calls[number] ?? 0) + 1;
        return intercept(call, on, method, args);
      },
      (method, [start]) => {
        if (method === 'withSession') (starts[number] ??= []).push(start);
      },
    );
  };
  const all = { 0: watched(0), 1: watched(1), 2: watched(2), 3: watched(3) };
  return { options: { db: all[0], databases: further(all) }, calls, starts };
}

/** The tables of what a brand has, besides its row and its keys. */
export const DATA = [...collections.map(({ table }) => table), 'tombstones', 'idempotency_records'];

/** Returns all that tables of a database have of a brand, but where its keys point, as text. */
export async function contentOf(
  number: DatabaseNumber,
  brandId: string,
  tables: readonly string[] = [...DATA, 'brands', 'api_keys'],
): Promise<string> {
  const selects = tables.map((table) => {
    const column = sql.identifier(table === 'brands' ? 'id' : 'brand_id');
    return sql<Row>`select * from ${sql.identifier(table)} where ${column} = ${brandId}`;
  });
  const rows = (await executeIn(number)(...selects)).flat();
  return JSON.stringify(rows.map(({ moved_to: _, frozen_at: __, ...row }) => row));
}

/** Sets a column of all keys of a brand. */
export async function setKeys(
  number: DatabaseNumber,
  brandId: string,
  column: 'moved_to' | 'frozen_at' | 'revoked_at' | 'expires_at' | 'suspended_at' | 'scope',
  value: string | number | null,
): Promise<void> {
  await executeIn(number)(
    sql`update api_keys set ${sql.identifier(column)} = ${value} where brand_id = ${brandId}`,
  );
}

/** The rows of a brand, in the order in which their references allow to insert them. */
const ALL = ['brands', 'api_keys', ...DATA];

/** How many rows are inserted with one call. */
const BATCH = 500;

/** Leaves the rows that a move of a brand leaves: all of them in the target, and its keys as signposts in the source. */
export async function relocate(
  { issued: { brandId } }: TestBrand,
  to: DatabaseNumber,
): Promise<void> {
  const homes = await Promise.all(
    NUMBERS.map(async (number) => {
      const [rows] = await executeIn(number)(
        sql`select 1 from api_keys where brand_id = ${brandId} and moved_to is null`,
      );
      return { number, isHome: rows.length > 0 };
    }),
  );
  const from = homes.find(({ isHome }) => isHome)?.number;
  if (from === undefined || from === to) throw new Error(`The brand ${brandId} has no other home.`);
  const target = executeIn(to);
  await target(...[...DATA].reverse().map((table) => deletion(table, brandId)));
  for (const table of ALL) {
    const column = sql.identifier(table === 'brands' ? 'id' : 'brand_id');
    const [rows] = await executeIn(from)(
      sql<Row>`select * from ${sql.identifier(table)} where ${column} = ${brandId}`,
    );
    for (let first = 0; first < rows.length; first += BATCH) {
      await target(...rows.slice(first, first + BATCH).map((row) => insertion(table, row)));
    }
  }
  await setKeys(to, brandId, 'moved_to', null);
  for (const { number } of homes.filter((one) => one.number !== to)) {
    await setKeys(number, brandId, 'moved_to', to);
  }
  await executeIn(from)(...[...DATA].reverse().map((table) => deletion(table, brandId)));
}

function deletion(table: string, brandId: string): SQL {
  return sql`delete from ${sql.identifier(table)} where brand_id = ${brandId}`;
}

function insertion(table: string, row: Row): SQL {
  const columns = Object.keys(row).map((name) => sql.identifier(name));
  const values = Object.values(row).map((value) => sql`${value}`);
  return sql`insert or replace into ${sql.identifier(table)} (${sql.join(columns, sql`, `)}) values (${sql.join(values, sql`, `)})`;
}
