import * as z from 'zod';
import type { ProductInput } from '../client/src/index.ts';
import { createBrand } from '../admin/src/index.ts';
import { ask, post, PRODUCTS } from './http.ts';
import type { Served } from './servers.ts';
import { REQUIRED } from './workers/product-fields.ts';

/** A brand with products, and one of its keys. */
export interface BrandData {
  readonly apiKey: string;
  /** The ids of its products, oldest first. */
  readonly ids: readonly string[];
}

const created = z.object({ products: z.array(z.object({ id: z.string() })) });

/** Creates a brand with a key and this many products. Every brand gets the same products. */
export async function makeBrand(
  { fillingPort, database }: Served,
  products: number,
): Promise<BrandData> {
  const { apiKey } = await createBrand(database, 'Bench', { label: 'bench' });
  const ids: string[] = [];
  for (const items of inBatches(Array.from({ length: products }, (_, index) => product(index)))) {
    const { body } = await ask(fillingPort, apiKey, post(PRODUCTS, { products: items }), created);
    ids.push(...body.products.map(({ id }) => id));
  }
  return { apiKey, ids };
}

/** Splits a list into parts, by default of 500, the maximum of a request. */
export function inBatches<T>(items: readonly T[], size = 500): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

export const storeProductId = (number: number): string =>
  `gid://shopify/Product/${7_000_000_000 + number}`;

/** The product fields that a store knows. */
export type StoreProduct = ProductInput & { readonly storeProductId: string };

/** A typical product: 1.3 kB of JSON, two images, linked to the store. */
export function product(number: number): StoreProduct {
  const cdn = `https://cdn.example.com/products/${number}`;
  return {
    ...REQUIRED,
    title: `Whey Protein Isolate, flavour ${number}`,
    description: `<p>Number ${number}. ${'Pure protein from grass-fed cows, cold filtered, without sugar. '.repeat(6)}</p>`,
    handle: `whey-protein-isolate-${number}`,
    sku: `WPI-${number}`,
    priceCents: 1000 + (number % 9000),
    discountPercent: number % 4 === 0 ? 12.5 : 0,
    marginPercent: 33.33,
    featured: number % 10 === 0,
    marketplaceCategory: 'SUPPLEMENTS',
    imageUrls: [1, 2].map((image) => `${cdn}/image-${image}.jpg?v=1699999999`),
    serviceListingStatus: 'LIVE',
    storeStatus: 'ACTIVE',
    syncStatus: 'SYNCED',
    serviceInventoryQuantity: number % 500,
    storeInventoryQuantity: number % 500,
    storeProductId: storeProductId(number),
    storeVariantId: `gid://shopify/ProductVariant/${8_000_000_000 + number}`,
    sourceUpdatedAt: '2026-11-01T08:00:00.000Z',
  };
}
