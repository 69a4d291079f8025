import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { Collection } from '../../src/collection/collection.ts';
import type { Resource, TestBrand } from './brand.ts';
import { resourcesOf } from './brand.ts';

const MOST_AT_ONCE = 500;

/**
 * Creates products with as few requests as possible.
 * @param fields returns the fields of the product at an index, besides its title and price
 * @returns the products, in order of creation
 */
export async function makeProducts(
  brand: TestBrand,
  count: number,
  fields: (index: number) => object = () => ({}),
): Promise<Resource[]> {
  const made: Resource[] = [];
  while (made.length < count) {
    const start = made.length;
    const products = Array.from({ length: Math.min(MOST_AT_ONCE, count - start) }, (_, offset) => ({
      title: `Product ${start + offset}`,
      priceCents: start + offset,
      ...fields(start + offset),
    }));
    const answer = await brand.send('POST', '/products', { products });
    if (answer.status !== 201) throw new Error(`POST /products: ${answer.status} ${answer.text}`);
    made.push(...resourcesOf(answer));
  }
  return made;
}

/**
 * Copies a brand's only resource of a collection past the API, which takes one call to D1.
 * @param own the columns that tell the copies apart, and their values by the number `i`
 * @returns the ids of the copies, by which they are in order after the original
 */
export async function copyFirst(
  { issued: { brandId } }: TestBrand,
  { table }: Collection,
  count: number,
  own: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const id = `printf('ffffffff-0000-7000-8000-%012d', i)`;
  const values: Record<string, string> = { id, revision: id, change_number: '1 + i', ...own };
  const names = Object.values(getTableColumns(table)).map(({ name }) => name);
  const tableName = getTableName(table);
  await env.DB.prepare(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?2)
    insert into ${tableName} (${names.join()}) select ${names.map((name) => values[name] ?? name).join()}
    from n, ${tableName} where brand_id = ?1 and change_number = 1`,
  )
    .bind(brandId, count)
    .run();
  return Array.from({ length: count }, (_, index) => copyId(index + 1));
}

/** The id of a copy by its number. */
export function copyId(number: number): string {
  return `ffffffff-0000-7000-8000-${String(number).padStart(12, '0')}`;
}
