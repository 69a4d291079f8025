import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { CollectionSource } from '../../src/collection/collection.ts';
import { literal, newestChange } from '../../src/db/change-order.ts';
import { brands, tombstones } from '../../src/db/tables.ts';
import { collections } from '../../src/resources/registry.ts';
import { AdminError } from './admin-error.ts';
import type { Subject } from './audit.ts';
import { newAct, noteAct } from './audit.ts';
import type { Execute } from './execute.ts';
import { checkedId } from './validation.ts';

/** The id in the tombstone that ends all earlier tokens: no resource has it. */
const NO_RESOURCE = '00000000-0000-0000-0000-000000000000';

/**
 * Makes every token that was issued so far no longer good. It is needed after the database was restored to an earlier
 * time: no sequence can tell what a restore undid.
 *
 * A token is too old if an expired tombstone comes after it. So an expired one is put where no change has been yet: at
 * the number of the present microsecond, which is above all numbers of changes, those that the restore undid included.
 * @param brandId of one brand; undefined for all
 * @param all the collections of the service
 * @returns how many brands' tokens were reset
 * @throws AdminError if there is no such brand
 */
export async function resetTokens(
  execute: Execute,
  brandId?: string,
  all: readonly CollectionSource[] = collections,
): Promise<number> {
  const chosen =
    brandId === undefined ? sql`true` : sql`${brands.id} = ${checkedId('brand', brandId)}`;
  const statements = all.flatMap(({ path, load }) => {
    const { table } = load();
    const ofCollection = sql`${tombstones.collection} = ${literal(path)}`;
    return [
      sql`insert into ${tombstones} (brand_id, collection, change_number, id, created_at, deleted_at)
        select ${brands.id}, ${literal(path)}, 1 + max(cast(unixepoch('now', 'subsec') * 1000000 as integer), ${newestChange(table, path, sql`${brands.id}`)}),
          ${NO_RESOURCE}, '2000-01-01T00:00:00.000Z', '2000-01-01T00:00:00.000Z'
        from ${brands} where ${chosen}`,
      // What is left behind would be found first, and would not be seen to be too old.
      sql`delete from ${tombstones} where ${ofCollection} and ${tombstones.brandId} in (select ${brands.id} from ${brands} where ${chosen})
        and exists (select 1 from ${tombstones} as later where later.brand_id = ${tombstones.brandId} and later.collection = ${tombstones.collection}
          and later.change_number > ${tombstones.changeNumber})`,
    ];
  });
  const results = await execute(
    ...statements,
    noteAct(newAct(execute, 'tokens.reset'), subject(brandId, chosen)),
    sql`select count(*) as brands from ${brands} where ${chosen}`,
  );
  const reset = Number(results.at(-1)?.[0]?.['brands']);
  if (brandId !== undefined && reset === 0) throw new AdminError(`There is no brand ${brandId}.`);
  return reset;
}

/** What was reset: one brand, or all of them, which is one act with their number. */
function subject(brandId: string | undefined, chosen: SQL): Subject {
  return brandId === undefined
    ? {
        brandId: sql`null`,
        details: sql`json_object('brands', count(*))`,
        from: sql`${brands} where ${chosen} having count(*) > 0`,
      }
    : { brandId: sql`${brands.id}`, from: sql`${brands} where ${chosen}` };
}
