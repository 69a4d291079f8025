import { sql } from 'drizzle-orm';
import { execute, TestBrand } from './brand.ts';
import { collections } from './collections.ts';

/**
 * Creates a brand with the same resources as another, including ids and entity tags. It takes one call to D1 instead of
 * one request per resource.
 */
export async function copyOf({ issued }: TestBrand): Promise<TestBrand> {
  const copy = await TestBrand.create();
  const columns = await columnsOfCollections();
  await execute(
    ...collections.map(({ table }) => {
      const names = sql.raw(columns.get(table)?.join() ?? '');
      return sql`insert into ${sql.identifier(table)} (brand_id, ${names})
        select ${copy.issued.brandId}, ${names} from ${sql.identifier(table)}
        where brand_id = ${issued.brandId}`;
    }),
  );
  return copy;
}

let columns: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

/** The columns of each collection's table, but for the brand. They are read once. */
function columnsOfCollections(): Promise<ReadonlyMap<string, readonly string[]>> {
  columns ??= execute(
    ...collections.map(
      ({ table }) =>
        sql`select name from pragma_table_info(${table}) where name <> 'brand_id' order by cid`,
    ),
  ).then(
    (results) =>
      new Map(
        collections.map(({ table }, index) => [
          table,
          (results[index] ?? []).map(({ name }) => `"${String(name)}"`),
        ]),
      ),
  );
  return columns;
}
