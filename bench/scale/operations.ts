import { encodeCursor } from '../../src/collection/cursor.ts';
import { products } from '../../src/resources/products.ts';
import type { Call } from '../client.ts';
import type { BrandData } from '../data.ts';
import type { Database } from './data.ts';
import { NEW_TITLE, RARE } from './data.ts';

/** Something that is asked of a brand in databases of all sizes. */
export interface Operation {
  readonly name: string;
  /**
   * What is promised of the rows that it reads and writes: `flat` are the same however many there are, `scan` reads the
   * brand's own rows, `list` reads what it returns.
   */
  readonly promise: 'flat' | 'scan' | 'list';
  /** Requests in one round. */
  readonly requests: number;
  readonly call: (target: Target, number: number) => Call;
}

/** Whom an operation asks. */
export interface Target {
  readonly database: Database;
  readonly brand: BrandData;
}

const ROOT = '/api/brand/v1';
const PAGE = 50;
/** Some more than enough for a median. */
const MANY = 60;
/** What reads a brand of 100,000 takes its time. */
const FEW = 8;

/** A filter of products, and a value that few of them have. */
function filter(
  name: string,
  promise: Operation['promise'],
  value: (brand: BrandData, database: Database) => string,
): Operation {
  return {
    name: `by ${name}`,
    promise,
    requests: promise === 'flat' ? MANY : FEW,
    call: ({ brand, database }) => ({
      method: 'GET',
      path: `${ROOT}/products?${new URLSearchParams({ limit: String(PAGE), [name]: value(brand, database) }).toString()}`,
      apiKey: brand.apiKey,
    }),
  };
}

/** The number of the last product of a brand, which its texts end with. */
const last = ({ ids }: BrandData): number => ids.length - 1;

let changes = 0;

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'get one',
    promise: 'flat',
    requests: MANY,
    call: ({ brand: { apiKey, ids } }, number) => ({
      method: 'GET',
      path: `${ROOT}/products/${ids[(number * 37) % ids.length] ?? ''}`,
      apiKey,
    }),
  },
  {
    name: 'first page',
    promise: 'flat',
    requests: MANY,
    call: ({ brand: { apiKey } }) => ({
      method: 'GET',
      path: `${ROOT}/products?limit=${PAGE}`,
      apiKey,
    }),
  },
  {
    name: 'last page',
    promise: 'flat',
    requests: MANY,
    call: ({ brand: { apiKey, ids } }) => ({
      method: 'GET',
      path: `${ROOT}/products?limit=${PAGE}&cursor=${encodeCursor(products, ids.at(-PAGE - 1) ?? '')}`,
      apiKey,
    }),
  },
  {
    name: 'patch',
    promise: 'flat',
    requests: MANY,
    // Only those whose time of change is late already: the others are there for the filter by it.
    call: ({ brand: { apiKey, ids } }, number) => ({
      method: 'PATCH',
      path: `${ROOT}/products/${ids.at(-1 - (number % RARE)) ?? ''}`,
      apiKey,
      body: { priceCents: ++changes, storeInventoryQuantity: changes },
    }),
  },
  filter(
    'storeProductId',
    'flat',
    (brand) => `gid://shopify/Product/${7_000_000_000 + last(brand)}`,
  ),
  {
    name: 'coupon code by code',
    promise: 'flat',
    requests: MANY,
    call: ({ brand }) => ({
      method: 'GET',
      path: `${ROOT}/coupon-codes?limit=${PAGE}&code=WPI-${last(brand)}`,
      apiKey: brand.apiKey,
    }),
  },
  filter('sku', 'scan', (brand) => `WPI-${last(brand)}`),
  filter('handle', 'scan', (brand) => `whey-protein-isolate-${last(brand)}`),
  filter(
    'storeVariantId',
    'scan',
    (brand) => `gid://shopify/ProductVariant/${8_000_000_000 + last(brand)}`,
  ),
  filter('syncStatus', 'scan', () => 'PENDING'),
  filter('serviceListingStatus', 'scan', () => 'REJECTED'),
  filter('storeStatus', 'scan', () => 'DRAFT'),
  filter('updatedSince', 'scan', (_, { rareSince }) => rareSince),
  {
    name: 'complete list',
    promise: 'list',
    requests: 1,
    call: ({ brand: { apiKey } }) => ({ method: 'GET', path: `${ROOT}/products`, apiKey }),
  },
  // Last, so that the others do not meet what it made.
  {
    name: 'create',
    promise: 'flat',
    requests: MANY,
    call: ({ brand: { apiKey } }, number) => ({
      method: 'POST',
      path: `${ROOT}/products`,
      apiKey,
      body: {
        ...{ title: NEW_TITLE, description: 'As good as new. '.repeat(10), priceCents: 1999 },
        ...{ sku: `NEW-${number}`, storeProductId: `gid://shopify/Product/${number}` },
      },
    }),
  },
];
