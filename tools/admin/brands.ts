import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Collection } from '../../src/collection/collection.ts';
import { requireEntry } from '../../src/db/columns.ts';
import { newId } from '../../src/collection/identifier.ts';
import { apiKeys, brands } from '../../src/db/tables.ts';
import { profile } from '../../src/resources/profile.ts';
import { collections } from '../../src/resources/registry.ts';
import { databaseTime } from '../../src/db/statement.ts';
import { AdminError, DatabaseFailure } from './admin-error.ts';
import type { Action } from './audit.ts';
import { newAct, noteAct } from './audit.ts';
import { deleteSome, hasData } from './brand-data.ts';
import type { Execute } from './execute.ts';
import { andAtHome, isAtHome, mayChange, notChanged } from './home.ts';
import type { IssuedKey, KeyOptions } from './keys.ts';
import { insertedKey, insertKey, issuedKey, newKey, ofKey } from './keys.ts';
import { checkedId, checkedProfile } from './validation.ts';

/** A new brand with its first key. */
export interface CreatedBrand extends IssuedKey {
  readonly brandName: string;
  /** The ids of other brands with the same name, some of them if there are many. */
  readonly namesakes: readonly string[];
}

/**
 * Creates a brand with an otherwise empty profile, and its first key.
 * @throws AdminError if the name or the label is not valid
 */
export async function createBrand(
  execute: Execute,
  name: string,
  options: Pick<KeyOptions, 'label' | 'apiKey'> = {},
): Promise<CreatedBrand> {
  const brandId = newId();
  const row = profile.encode(checkedProfile(name));
  const columns = Object.keys(row).map((field) =>
    sql.identifier(requireEntry(profile.writable, field).name),
  );
  const values = Object.values(row).map((value) => sql`${value}`);
  const key = await newKey(execute, options.apiKey);
  const brandName = String(row['brandName']);
  const [, , , [issued], namesakes] = await execute(
    sql`insert into ${brands} (id, revision, created_at, updated_at, ${sql.join(columns, sql`, `)})
      values (${brandId}, ${brandId}, ${databaseTime}, ${databaseTime}, ${sql.join(values, sql`, `)}) on conflict do nothing`,
    insertKey(key, brandId, options),
    noteAct(newAct(execute, 'brand.create'), ofKey(key, { brandName })),
    insertedKey(key),
    selectNamesakes(execute, brandName, brandId),
  );
  if (issued === undefined) throw new AdminError('The database did not return the new key.');
  return {
    ...issuedKey(key, issued),
    brandName,
    namesakes: namesakes.map(({ id }) => id),
  };
}

/** Returns the ids of some brands in a database that have this name, apart from one. */
export async function namesakesIn(
  execute: Execute,
  { brandName, brandId }: Pick<CreatedBrand, 'brandName' | 'brandId'>,
): Promise<string[]> {
  const [rows] = await execute(selectNamesakes(execute, brandName, brandId));
  return rows.map(({ id }) => id);
}

function selectNamesakes(
  execute: Execute,
  brandName: string,
  brandId: string,
): SQL<{ id: string }> {
  return sql<{ id: string }>`select ${brands.id} from ${brands}
      where ${brands.brandName} = ${brandName} and ${brands.id} <> ${brandId}${andAtHome(execute, sql`${brands.id}`)} order by ${brands.id} limit 3`;
}

/**
 * Returns the name of a brand.
 * @throws AdminError if there is no brand with this id
 */
export async function brandName(execute: Execute, brandId: string): Promise<string> {
  const [[row]] = await execute(
    sql<{
      brand_name: string;
    }>`select ${brands.brandName} from ${brands} where ${brands.id} = ${checkedId('brand', brandId)}`,
  );
  if (row === undefined) throw new AdminError(`There is no brand ${brandId}.`);
  return row.brand_name;
}

/**
 * Deletes a brand with all its data. Keys are deleted in the first call, so that nobody writes while the rest is deleted
 * in further ones. If interrupted, run it again.
 * @param all all collections of the service
 * @throws AdminError which says whether anything is deleted
 */
export function deleteBrand(
  execute: Execute,
  brandId: string,
  all: readonly Collection[] = collections,
): Promise<void> {
  const mayDelete = mayChange(sql`${brandId}`);
  const noted = (action: Action) => (from: SQL) =>
    noteAct(newAct(execute, action), {
      brandId: sql`${brands.id}`,
      details: sql`json_object('brandName', ${brands.brandName})`,
      from,
    });
  return deleteRows(execute, brandId, {
    condition: mayDelete,
    begin: [
      noted('brand.delete.begin')(sql`${brands} where ${brands.id} = ${brandId} and ${mayDelete}`),
      sql`delete from ${apiKeys} where ${apiKeys.brandId} = ${brandId} and ${mayDelete}`,
    ],
    done: noted('brand.delete.done'),
    all,
  });
}

/** Deletes what a brand has left in a database that it moved away from. It has been deleted where it was at home. */
export function deleteRest(execute: Execute, brandId: string): Promise<void> {
  // Its keys point elsewhere until the end: they are deleted with its row.
  return deleteRows(execute, brandId, {
    condition: sql`not ${isAtHome(sql`${brandId}`)}`,
    ...{ begin: [], done: () => sql`select 1`, all: collections },
  });
}

interface Deletion {
  /** The condition of each statement. */
  readonly condition: SQL;
  /** What the first call does before it deletes. */
  readonly begin: readonly SQL[];
  /** Returns what records the end, about the brands of a table with a condition. */
  readonly done: (from: SQL) => SQL;
  readonly all: readonly Collection[];
}

async function deleteRows(
  execute: Execute,
  brandId: string,
  { condition, begin, done, all }: Deletion,
): Promise<void> {
  const thisBrand = sql`${brands} where ${brands.id} = ${brandId} and ${condition}`;
  const emptyBrand = sql`${thisBrand} and not ${hasData(brandId, all)}`;
  // Every statement can be repeated until nothing is left.
  const batch = [
    ...deleteSome(brandId, condition, all),
    done(emptyBrand),
    sql`delete from ${emptyBrand}`,
    sql`select exists (select 1 from ${thisBrand}) as is_left,
      exists (select 1 from ${brands} where ${brands.id} = ${brandId}) as is_there`,
  ];
  let results = await execute(...begin, ...batch);
  while (is('left', results)) results = await execute(...batch).catch(partlyDeleted);
  if (is('there', results)) throw await notChanged(execute, brandId);
}

function is(what: 'left' | 'there', results: Awaited<ReturnType<Execute>>): boolean {
  return Number(results.at(-1)?.[0]?.[`is_${what}`]) === 1;
}

/** @throws AdminError that says what the failure of a later call leaves behind */
function partlyDeleted(error: unknown): never {
  if (!(error instanceof DatabaseFailure)) throw error;
  throw new AdminError(
    `${error.reason} The brand is partly deleted: its keys no longer work. Run the command again to delete the rest.`,
  );
}
