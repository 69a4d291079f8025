import type { Call } from '../client.ts';
import type { BrandData } from '../data.ts';

/** The brands of a contestant: one to read, one to write to, so that what is read stays as long as it is. */
export interface Brands {
  readonly read: BrandData;
  readonly written: BrandData;
}

export interface Operation {
  readonly name: string;
  /** Requests in one round. */
  readonly requests: number;
  readonly call: (contestant: string, brands: Brands, number: number) => Call;
}

const ROOT = '/api/brand/v1/products';

/** What is measured. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'get one',
    requests: 800,
    call: (_, { read: { apiKey, ids } }, number) => ({
      method: 'GET',
      path: `${ROOT}/${ids[(number * 37) % ids.length] ?? ''}`,
      apiKey,
    }),
  },
  {
    name: 'list 50',
    requests: 300,
    call: (contestant, { read: { apiKey } }) => ({
      method: 'GET',
      path: `${ROOT}?${contestant === 'chanfana' ? 'per_page' : 'limit'}=50`,
      apiKey,
    }),
  },
  {
    name: 'create',
    requests: 400,
    call: (contestant, { written: { apiKey } }, number) => ({
      method: 'POST',
      path: ROOT,
      apiKey,
      body: newProduct(contestant, number),
    }),
  },
  {
    name: 'patch',
    requests: 500,
    call: (contestant, { written: { apiKey, ids } }, number) => ({
      method: 'PATCH',
      path: `${ROOT}/${ids[(number * 37) % ids.length] ?? ''}`,
      apiKey,
      body: changedProduct(contestant),
    }),
  },
  {
    name: 'list all',
    requests: 30,
    call: (contestant, { read: { apiKey } }) => ({
      method: 'GET',
      path: contestant === 'chanfana' ? `${ROOT}?per_page=1000` : ROOT,
      apiKey,
    }),
  },
];

let changes = 0;

/** A change that is one, whichever product it meets. */
function changedProduct(contestant: string): unknown {
  const [price, stock] = [1000 + (++changes % 1_000_000), changes % 500];
  return contestant === 'chanfana'
    ? { price_cents: price, store_inventory_quantity: stock }
    : { priceCents: price, storeInventoryQuantity: stock };
}

function newProduct(contestant: string, number: number): unknown {
  const image = `https://cdn.example.com/new/${number}.jpg`;
  const [title, description, sku] = [
    `New product ${number}`,
    'As good as new. '.repeat(10),
    `NEW-${number}`,
  ];
  return contestant === 'chanfana'
    ? {
        ...{ title, description, sku, price_cents: 1999, handle: `new-product-${number}` },
        ...{ image_url: image, image_urls: JSON.stringify([image]), store_inventory_quantity: 10 },
        ...{
          marketplace_category: 'SUPPLEMENTS',
          store_product_id: `gid://shopify/Product/${number}`,
        },
      }
    : {
        ...{ title, description, sku, priceCents: 1999, handle: `new-product-${number}` },
        ...{ imageUrl: image, imageUrls: [image], storeInventoryQuantity: 10 },
        ...{
          marketplaceCategory: 'SUPPLEMENTS',
          storeProductId: `gid://shopify/Product/${number}`,
        },
      };
}
