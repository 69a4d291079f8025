import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { apiKeys, brands, tombstones, collections, newestChange } from '../../../src/operator.ts';
import type { Subject } from '../audit.ts';
import { newAct, noteAct } from '../audit.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { beingMoved, mayChange, notChanged } from '../home/home.ts';
import { checkedId } from '../validation.ts';

/** The id in the tombstone that ends all earlier tokens: no resource has it. */
const NO_RESOURCE = '00000000-0000-0000-0000-000000000000';

/**
 * Makes every token of a brand that was issued so far no longer good. It is needed after the database was restored to an
 * earlier time: no sequence can tell what a restore undid.
 *
 * A token is too old if an expired tombstone comes after it. So an expired one is put where no change has been yet: at
 * the number of the present microsecond, which is above all numbers of changes, those that the restore undid included.
 * @param all the collections of the service
 * @throws Failure if there is no such brand
 */
export async function resetTokens(
  database: OpenDatabase,
  brandId: string,
  all: readonly Collection[] = collections,
): Promise<void> {
  const reset = await resetWhere(
    database,
    sql`${brands.id} = ${checkedId('brand', brandId)}`,
    (from) => ({ brandId: sql`${brands.id}`, from }),
    all,
  );
  if (reset === 0) throw await notChanged(database, brandId);
}

/**
 * Does the same for all brands, as one act of the audit trail, with their number.
 * @returns how many brands' tokens were reset
 */
export async function resetAllTokens(database: OpenDatabase): Promise<number> {
  const isFrozen = sql`${apiKeys.frozenAt} is not null and ${apiKeys.movedTo} is null`;
  const frozen = sql<{
    brand_id: string;
    frozen_at: string;
  }>`select ${apiKeys.brandId}, ${apiKeys.frozenAt} from ${apiKeys} where ${isFrozen} limit 1`;
  const reset = await resetWhere(
    database,
    sql`not exists (${frozen})`,
    (from) => ({
      brandId: sql`null`,
      details: sql`json_object('brands', count(*))`,
      from: sql`${from} having count(*) > 0`,
    }),
    collections,
  );
  const [[brand]] = reset > 0 ? [[]] : await database.run(frozen);
  if (brand !== undefined) throw beingMoved(brand.brand_id, brand.frozen_at);
  return reset;
}

/**
 * Resets the tokens of some brands, and returns how many these are.
 * @param subjectOf what the audit trail says of these rows of brands
 */
async function resetWhere(
  database: OpenDatabase,
  condition: SQL,
  subjectOf: (from: SQL) => Subject,
  all: readonly Collection[],
): Promise<number> {
  const chosen = sql`${brands} where ${condition} and ${mayChange(sql`${brands.id}`)}`;
  const resets = all.flatMap(({ path, table }) => [
    sql`insert into ${tombstones} (brand_id, collection, change_number, id, deleted_at)
      select ${brands.id}, ${path}, 1 + max(cast(unixepoch('now', 'subsec') * 1000000 as integer), ${newestChange({ table, path }, sql`${brands.id}`)}),
        ${NO_RESOURCE}, '2000-01-01T00:00:00.000Z'
      from ${chosen}`,
    // What is left behind would be found first, and would not be seen to be too old.
    sql`delete from ${tombstones} where ${tombstones.collection} = ${path} and ${tombstones.brandId} in (select ${brands.id} from ${chosen})
      and exists (select 1 from ${tombstones} as later where later.brand_id = ${tombstones.brandId} and later.collection = ${tombstones.collection}
        and later.change_number > ${tombstones.changeNumber})`,
  ]);
  const [[counted]] = await database.run(
    // First: the statements change none of the brands.
    sql<{ brands: number }>`select count(*) as brands from ${chosen}`,
    ...resets,
    noteAct(newAct(database, 'tokens.reset'), subjectOf(chosen)),
  );
  return counted?.brands ?? 0;
}
