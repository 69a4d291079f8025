import { BrandClient } from '../../client/src/index.ts';
import type { TakenBrand } from '../../test/node/pool.ts';

/** A resource with its entity tag, by its id. The profile has the id `profile`. */
export type Contents = Readonly<Record<string, unknown>>;

/** Products whose names no sample uses by intention, and coupon codes, of which one is in many samples. */
const TITLES = ['Kettle', 'Teapot', 'Sieve', 'Whisk', 'Ladle', 'Grater'];
const CODES = ['SAVE10', 'TEATIME'];

/**
 * Gives a brand what the brand of a real reader has: products, coupon codes and a connection.
 * @returns reads all that the brand has
 */
export async function inhabit(brand: TakenBrand): Promise<() => Promise<Contents>> {
  const client = new BrandClient(brand);
  await client.products.createMany(
    TITLES.map((title, at) => {
      const name = `KITCHEN-${at}`;
      return { title, priceCents: 1000 + at, sku: name, storeProductId: name };
    }),
  );
  await client.couponCodes.createMany(CODES.map((code) => ({ code, discountPercent: 15 })));
  await client.profile.update({
    brand: { contactName: 'Grace Brook' },
    connection: { status: 'CONNECTED', storeDomain: 'kitchen.example', syncEnabled: false },
  });
  return async () => {
    const contents = new Map<string, unknown>([['profile', await client.profile.get()]]);
    for (const collection of [client.products, client.couponCodes]) {
      for await (const { id } of collection.list()) contents.set(id, await collection.get(id));
    }
    return Object.fromEntries(contents);
  };
}
