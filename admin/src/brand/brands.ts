import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Collection } from '../../../src/operator.ts';
import { newId, apiKeys, brands, databaseTime } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import type { Action } from '../audit.ts';
import { forgetNames, newAct, noteAct } from '../audit.ts';
import { deleteData } from './data.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { andAtHome, isAtHome, mayChange, notChanged } from '../home/home.ts';
import type { IssuedKey, KeyOptions, NewKey } from '../key/keys.ts';
import { insertedKey, insertKey, issuedKey, newKey, ofKey } from '../key/keys.ts';
import { checkedName, checkedProfile } from '../validation.ts';

/** A new brand with its first key. */
interface CreatedBrand extends IssuedKey {
  readonly brandName: string;
  /** The ids of other brands with the same name, some of them if there are many. */
  readonly namesakes: readonly string[];
}

/** A brand to create. Its ids and its key may be given, so that the same call can be made again. */
interface BrandToCreate extends Pick<KeyOptions, 'label' | 'scope' | 'expiresIn' | 'apiKey'> {
  readonly brandName: string;
  readonly brandId?: string;
  readonly keyId?: string;
}

/**
 * Creates a brand with an otherwise empty profile, and its first key.
 * @throws Failure if the name or the label is not valid
 */
export async function createBrand(
  database: OpenDatabase,
  brandName: string,
  options: Omit<BrandToCreate, 'brandName'> = {},
): Promise<CreatedBrand> {
  const [created] = await createBrands(database, [{ ...options, brandName }]);
  if (created === undefined) throw new Failure('The database did not return the new key.');
  return created;
}

/**
 * Creates brands in one transaction, each with its first key.
 * @throws Failure if a name or a label is not valid
 */
export async function createBrands(
  database: OpenDatabase,
  all: readonly BrandToCreate[],
): Promise<CreatedBrand[]> {
  const parts = await Promise.all(all.map((one) => newBrand(database, one)));
  const results = await database.run(...parts.flatMap(({ statements }) => statements));
  return parts.map(({ brandName, key, statements }, index) => {
    const [issued, namesakes] = results.slice((index + 1) * statements.length - 2);
    const [row] = z.array(createdKey).parse(issued);
    if (row === undefined) throw new Failure('The database did not return the new key.');
    return {
      ...issuedKey(key, row),
      brandName,
      namesakes: z
        .array(z.object({ id: z.string() }))
        .parse(namesakes)
        .map(({ id }) => id),
    };
  });
}

const createdKey = z.object({
  brand_id: z.string(),
  expires_at: z.nullable(z.string()),
  label: z.string(),
});

/** Returns the statements that create a brand; the last two read its key, and others with its name. */
async function newBrand(
  database: OpenDatabase,
  { brandName: name, brandId = newId(), keyId, ...options }: BrandToCreate,
): Promise<{
  readonly brandName: string;
  readonly key: NewKey;
  readonly statements: readonly SQL[];
}> {
  const profile = checkedProfile(name);
  const columns = [...profile.keys()].map((column) => sql.identifier(column));
  const values = [...profile.values()].map((value) => sql`${value}`);
  const key = await newKey(database, options.apiKey, keyId);
  const brandName = checkedName(name);
  // The same entry if the call is made again.
  const act = { ...newAct(database, 'brand.create'), id: key.id };
  return {
    brandName,
    key,
    statements: [
      sql`insert into ${brands} (id, revision, created_at, updated_at, ${sql.join(columns, sql`, `)})
        values (${brandId}, ${brandId}, ${databaseTime}, ${databaseTime}, ${sql.join(values, sql`, `)}) on conflict do nothing`,
      insertKey(key, brandId, options),
      noteAct(act, ofKey(key, { brandName })),
      insertedKey(key),
      selectNamesakes(database, brandName, brandId),
    ],
  };
}

/** Returns the ids of some brands in a database that have this name, apart from one. */
export async function namesakesIn(
  database: OpenDatabase,
  { brandName, brandId }: Pick<CreatedBrand, 'brandName' | 'brandId'>,
): Promise<string[]> {
  const [rows] = await database.run(selectNamesakes(database, brandName, brandId));
  return rows.map(({ id }) => id);
}

function selectNamesakes(
  database: OpenDatabase,
  brandName: string,
  brandId: string,
): SQL<{ id: string }> {
  return sql<{ id: string }>`select ${brands.id} from ${brands}
      where ${brands.brandName} = ${brandName} and ${brands.id} <> ${brandId}${andAtHome(database, sql`${brands.id}`)} order by ${brands.id} limit 3`;
}

/**
 * Deletes a brand with all its data, and its names in the audit trail. Keys are deleted in the first call, so that nobody
 * writes while the rest is deleted in further ones. If interrupted, run it again.
 * @throws Failure which says whether anything is deleted
 */
export async function deleteBrand(
  database: OpenDatabase,
  brandId: string,
  all?: readonly Collection[],
): Promise<void> {
  const condition = mayChange(sql`${brandId}`);
  const noted = (action: Action, isMeant: SQL): SQL =>
    noteAct(newAct(database, action), {
      brandId: sql`${brands.id}`,
      from: sql`${brands} where ${isMeant}`,
    });
  const isThere = await deleteData(database, brandId, {
    condition,
    all,
    first: [
      noted('brand.delete.begin', sql`${brands.id} = ${brandId} and ${condition}`),
      sql`update ${brands} set unfinished = 'delete' where ${brands.id} = ${brandId} and ${condition}`,
      sql`delete from ${apiKeys} where ${apiKeys.brandId} = ${brandId} and ${condition}`,
    ],
    last: (isEmpty) => [
      noted('brand.delete.done', isEmpty),
      forgetNames(brandId, isEmpty),
      sql`delete from ${brands} where ${isEmpty}`,
    ],
    onFailure: partlyDeleted,
  });
  if (isThere) throw await notChanged(database, brandId);
}

/** Deletes what a brand has left in a database that it moved away from. It has been deleted where it was at home. */
export async function deleteRest(database: OpenDatabase, brandId: string): Promise<void> {
  const isThere = await deleteData(database, brandId, {
    condition: sql`not ${isAtHome(sql`${brandId}`)}`,
    first: [],
    last: (isEmpty) => [
      forgetNames(brandId, isEmpty),
      // With its keys, which point elsewhere until then.
      sql`delete from ${brands} where ${isEmpty}`,
    ],
    onFailure: partlyDeleted,
  });
  if (isThere) throw await notChanged(database, brandId);
}

/** @throws Failure that says what the failure of a later call leaves behind */
function partlyDeleted(error: unknown): never {
  if (!(error instanceof DatabaseFailure)) throw error;
  throw new Failure(
    `${error.reason} The brand is partly deleted: its keys no longer work. Run the command again to delete the rest.`,
  );
}
