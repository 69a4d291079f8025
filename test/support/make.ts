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
