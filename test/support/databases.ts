import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as z from 'zod';
import { createBrand } from '../../tools/admin/brands.ts';
import type { Execute } from '../../tools/admin/execute.ts';
import { executeOn } from '../../tools/admin/execute.ts';
import { moveBrand } from '../../tools/admin/move/move.ts';
import type { FurtherDatabases, Service } from './brand.ts';
import { standard, TestBrand } from './brand.ts';
import { collections } from './collections.ts';
import type { Intercept } from './d1.ts';
import { interceptD1 } from './d1.ts';

/** The number of a database of the tests. */
export type DatabaseNumber = 0 | 1 | 2 | 3;

const NUMBERS: readonly DatabaseNumber[] = [0, 1, 2, 3];

/** The databases of the tests, by number. */
export const databases: Readonly<Record<DatabaseNumber, D1Database>> = {
  0: env.DB,
  1: env.OTHER_1,
  2: env.OTHER_2,
  3: env.OTHER_3,
};

/** The service over all of them. */
export const several: Service = { ...standard, databases: further(databases) };

function further(bindings: Readonly<Record<DatabaseNumber, D1Database>>): FurtherDatabases {
  return { DB_1: bindings[1], DB_2: bindings[2], DB_3: bindings[3] };
}

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
  /** The number of rows that were read in each. */
  readonly rowsRead: Partial<Record<DatabaseNumber, number>>;
  /** Where the sessions of each were told to begin. */
  readonly starts: Partial<Record<DatabaseNumber, (string | undefined)[]>>;
}

/**
 * Watches the calls to each database.
 * @param intercepts what stands between the service and a database
 */
export function watch(intercepts: Partial<Record<DatabaseNumber, Intercept>> = {}): Watched {
  const calls: Watched['calls'] = {};
  const rowsRead: Watched['rowsRead'] = {};
  const starts: Watched['starts'] = {};
  const watched = (number: DatabaseNumber): D1Database => {
    const intercept = intercepts[number] ?? ((call) => call());
    const counted = interceptD1(databases[number], async (call, on, method) => {
      calls[number] = (calls[number] ?? 0) + 1;
      const result = await intercept(call, on, method);
      rowsRead[number] = (rowsRead[number] ?? 0) + rowsReadBy(result);
      return result;
    });
    return new Proxy(counted, {
      get(target, name): unknown {
        const member: unknown = Reflect.get(target, name);
        if (name !== 'withSession' || typeof member !== 'function') return member;
        return (start?: string): unknown => {
          (starts[number] ??= []).push(start);
          return Reflect.apply(member, target, [start]);
        };
      },
    });
  };
  const all = { 0: watched(0), 1: watched(1), 2: watched(2), 3: watched(3) };
  return { options: { db: all[0], databases: further(all) }, calls, rowsRead, starts };
}

const batchResult = z.array(z.object({ meta: z.object({ rows_read: z.number() }) }));

/** The rows that a batch has read; 0 for other calls. */
function rowsReadBy(result: unknown): number {
  const { data = [] } = batchResult.safeParse(result);
  return data.reduce((sum, { meta }) => sum + meta.rows_read, 0);
}

/** The tables of a brand's data. */
const TABLES = [
  'brands',
  ...collections.map(({ table }) => table),
  ...['tombstones', 'idempotency_records'],
];

/** Returns the number of rows of each table that a database has of a brand. */
export async function countsIn(
  number: DatabaseNumber,
  brandId: string,
): Promise<Record<string, number>> {
  const content = await rowsIn(number, brandId, TABLES);
  return Object.fromEntries(TABLES.map((table, index) => [table, content[index]?.length ?? 0]));
}

/** Returns all that a database has of a brand, keys included, as text. */
export async function contentOf(number: DatabaseNumber, brandId: string): Promise<string> {
  return JSON.stringify(await rowsIn(number, brandId, [...TABLES, 'api_keys']));
}

async function rowsIn(
  number: DatabaseNumber,
  brandId: string,
  tables: readonly string[],
): Promise<unknown[][]> {
  const selects = tables.map((table) =>
    databases[number]
      .prepare(`select * from ${table} where ${table === 'brands' ? 'id' : 'brand_id'} = ?`)
      .bind(brandId),
  );
  return (await databases[number].batch(selects)).map(({ results }) => results);
}

/** Sets a column of all keys of a brand. */
export async function setKeys(
  number: DatabaseNumber,
  brandId: string,
  column: 'moved_to' | 'frozen_at' | 'revoked_at' | 'expires_at' | 'suspended_at' | 'scope',
  value: string | number | null,
): Promise<void> {
  await databases[number]
    .prepare(`update api_keys set ${column} = ? where brand_id = ?`)
    .bind(value, brandId)
    .run();
}

/** A time that has passed. */
export const PAST = '2020-01-01T00:00:00.000Z';

/** Moves a brand. */
export async function relocate(
  { issued: { brandId } }: TestBrand,
  to: DatabaseNumber,
): Promise<void> {
  await moveBrand(NUMBERS.map(executeIn), brandId, { to });
}
