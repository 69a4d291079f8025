import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { CollectionSource } from '../../src/collection/collection.ts';
import { newId } from '../../src/collection/identifier.ts';
import { keyIsLive, now } from '../../src/db/statement.ts';
import { apiKeys, brands, idempotencyRecords, tombstones } from '../../src/db/tables.ts';
import { profile } from '../../src/resources/profile.ts';
import { collections } from '../../src/resources/registry.ts';
import { AdminError, DatabaseFailure } from './admin-error.ts';
import type { Action } from './audit.ts';
import { newAct, noteAct } from './audit.ts';
import type { Execute } from './execute.ts';
import type { IssuedKey, KeyOptions } from './keys.ts';
import { insertedKey, insertKey, issuedKey, newKey, ofKey } from './keys.ts';
import { checkedId, checkedProfile } from './validation.ts';

/** The maximum number of rows of a table deleted per call: D1 aborts a statement that takes too long. */
const DELETED_AT_ONCE = 5000;

/** A brand as the operator sees it. */
export interface BrandSummary {
  readonly brandId: string;
  readonly brandName: string;
  readonly createdAt: string;
  readonly liveKeys: number;
}

/**
 * Creates a brand with an otherwise empty profile, and its first key.
 * @throws AdminError if the name or the label is not valid
 */
export async function createBrand(
  execute: Execute,
  name: string,
  options: Pick<KeyOptions, 'label' | 'apiKey'> = {},
): Promise<IssuedKey & { readonly brandName: string }> {
  const brandId = newId();
  const row = profile().encode(checkedProfile(name));
  const columns = Object.keys(row).map((column) => sql.identifier(column));
  const values = Object.values(row).map((value) => sql`${value}`);
  const key = await newKey(options.apiKey);
  const brandName = String(row['brand_name']);
  const details = sql`json_object('brandName', ${brandName})`;
  const [, , , [issued] = []] = await execute(
    sql`insert into ${brands} (id, revision, created_at, updated_at, ${sql.join(columns, sql`, `)})
      values (${brandId}, ${brandId}, ${now}, ${now}, ${sql.join(values, sql`, `)}) on conflict do nothing`,
    insertKey(key, brandId, options),
    noteAct(newAct(execute, 'brand.create'), { ...ofKey(key), details }),
    insertedKey(key),
  );
  if (issued === undefined) throw new AdminError('The database did not return the new key.');
  return { ...issuedKey(key, issued), brandName };
}

/** Lists all brands, oldest first. */
export async function listBrands(execute: Execute): Promise<BrandSummary[]> {
  const [rows = []] =
    await execute(sql`select ${brands.id}, ${brands.brandName}, ${brands.createdAt},
      (select count(*) from ${apiKeys} where ${apiKeys.brandId} = ${brands.id} and ${keyIsLive}) as live_keys
      from ${brands} order by ${brands.id}`);
  return rows.map((row) => ({
    brandId: String(row['id']),
    brandName: String(row['brand_name']),
    createdAt: String(row['created_at']),
    liveKeys: Number(row['live_keys']),
  }));
}

/**
 * Returns the name of a brand.
 * @throws AdminError if there is no brand with this id
 */
export async function brandName(execute: Execute, brandId: string): Promise<string> {
  const [[row] = []] = await execute(
    sql`select ${brands.brandName} from ${brands} where ${brands.id} = ${checkedId('brand', brandId)}`,
  );
  if (row === undefined) throw new AdminError(`There is no brand ${brandId}.`);
  return String(row['brand_name']);
}

/**
 * Deletes a brand with all its data. Keys are deleted first, so that nobody writes while the rest is deleted in
 * batches. If interrupted, run it again.
 * @param all all collections of the service
 * @throws AdminError which says whether anything is deleted
 */
export async function deleteBrand(
  execute: Execute,
  brandId: string,
  all: readonly CollectionSource[] = collections,
): Promise<void> {
  const thisBrand = sql`${brands} where ${brands.id} = ${brandId}`;
  const noted = (action: Action, from: SQL): SQL =>
    noteAct(newAct(execute, action), {
      brandId: sql`${brands.id}`,
      details: sql`json_object('brandName', ${brands.brandName})`,
      from,
    });
  await execute(
    noted('brand.delete.begin', thisBrand),
    sql`delete from ${apiKeys} where ${apiKeys.brandId} = ${brandId}`,
  );

  const parts = [
    ...all.map(({ load }) => ({ table: load().table, key: sql`id` })),
    { table: tombstones, key: sql`collection, change_number` },
    { table: idempotencyRecords, key: sql`key` },
  ].map(({ table, key }) => ({
    table,
    key,
    some: sql`select ${key} from ${table} where brand_id = ${brandId} limit ${DELETED_AT_ONCE}`,
  }));
  const someLeft = sql.join(
    parts.map(({ some }) => sql`exists (${some})`),
    sql` or `,
  );
  const emptyBrand = sql`${thisBrand} and not (${someLeft})`;
  // All in one call, because a call of wrangler takes seconds. Every statement can be repeated until nothing is left.
  const batch = [
    ...parts.map(
      ({ table, key, some }) =>
        sql`delete from ${table} where brand_id = ${brandId} and (${key}) in (${some})`,
    ),
    noted('brand.delete.done', emptyBrand),
    sql`delete from ${emptyBrand}`,
    sql`select exists (select 1 from ${thisBrand}) as is_left`,
  ];
  for (let isLeft = true; isLeft;) {
    const results = await execute(...batch).catch(partlyDeleted);
    isLeft = Number(results.at(-1)?.[0]?.['is_left']) === 1;
  }
}

/** @throws AdminError that says what the failure of a later call leaves behind */
function partlyDeleted(error: unknown): never {
  if (!(error instanceof DatabaseFailure)) throw error;
  throw new AdminError(
    `${error.reason} The brand is partly deleted: its keys no longer work. Run the command again to delete the rest.`,
  );
}
