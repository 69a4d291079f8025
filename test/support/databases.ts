import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { createBrand } from '../../admin/src/brands.ts';
import type { Execute, Row } from '../../admin/src/execute.ts';
import { executeOn } from '../../admin/src/execute.ts';
import { moveBrand } from '../../admin/src/move/move.ts';
import type { FurtherDatabases, Service } from './brand.ts';
import { standard, TestBrand } from './brand.ts';
import { collections } from './collections.ts';
import type { Intercept } from '../../tools/intercept-d1.ts';
import { interceptD1 } from '../../tools/intercept-d1.ts';

/** The number of a database of the tests. */
export type DatabaseNumber = 0 | 1 | 2 | 3;

const NUMBERS: readonly DatabaseNumber[] = [0, 1, 2, 3];

type ByNumber<T> = Readonly<Record<DatabaseNumber, T>>;

const databases = { 0: env.DB, 1: env.OTHER_1, 2: env.OTHER_2, 3: env.OTHER_3 };

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

/** Runs statements of the admin tool on a database. */
export function executeIn(number: DatabaseNumber): Execute {
  return executeOn(databases[number], 'tests', number);
}

/** Creates a brand in a database. */
export async function brandIn(number: DatabaseNumber): Promise<TestBrand> {
  const brand = await TestBrand.create('Test brand', several);
  return number === 0 ? brand : brand.with(await createBrand(executeIn(number), 'Test brand'));
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

/** Moves a brand. */
export async function relocate(
  { issued: { brandId } }: TestBrand,
  to: DatabaseNumber,
): Promise<void> {
  await moveBrand(NUMBERS.map(executeIn), brandId, { to });
}
