import fc from 'fast-check';
import type { CatalogueProduct, CatalogueVariant, CsvStyle } from '../store-catalogues.ts';
import { csvOf, handleOf } from '../store-catalogues.ts';
import type { ShopDiscount, ShopObject, ShopProduct } from './catalogue.ts';
import { discount, product, variant } from './catalogue.ts';

// Random catalogues and discounts, as a shop of Shopify has them.

/** Returns a product as the GraphQL API has it. */
export function shopProduct(one: CatalogueProduct): ShopProduct {
  const images = one.images.map((url, at) => imageOf(url, 10 * one.id + at));
  return product(
    one.title,
    one.variants.map((each) =>
      variant(one.options.length === 0 ? ['Default Title'] : each.values, {
        id: `gid://shopify/ProductVariant/${each.id}`,
        sku: each.sku,
        price: (each.cents / 100).toFixed(2),
        compareAtPrice: each.hasOtherPrice ? '1000000.00' : null,
        ...stockOf(each),
        media: images.filter((_, at) => each.image !== null && one.images[at] === each.image),
      }),
    ),
    {
      id: `gid://shopify/Product/${one.id}`,
      handle: handleOf(one),
      descriptionHtml: one.description,
      status: one.isPublished ? 'ACTIVE' : 'DRAFT',
      hasOnlyDefaultVariant: one.options.length === 0,
      media: images,
    },
  );
}

function stockOf({ stock }: CatalogueVariant): object {
  const isCounted = typeof stock === 'number';
  return { inventoryItem: { tracked: isCounted }, inventoryQuantity: isCounted ? stock : 0 };
}

function imageOf(url: string, number: number): ShopObject {
  return { __typename: 'MediaImage', id: `gid://shopify/MediaImage/${number}`, image: { url } };
}

/** What the service can hold, and what it cannot, by the type of the GraphQL API and of the CSV. */
const KINDS = {
  percentage: { type: 'DiscountCodeBasic', csv: 'Amount Off' },
  amount: { type: 'DiscountCodeBasic', csv: 'Amount Off' },
  bxgy: { type: 'DiscountCodeBxgy', csv: 'Buy X Get Y' },
  shipping: { type: 'DiscountCodeFreeShipping', csv: 'Free shipping' },
} as const;

/** A discount of a shop, with its codes. */
export interface CatalogueDiscount {
  readonly kind: keyof typeof KINDS;
  readonly title: string;
  /** Tenths of a percent. */
  readonly tenths: number;
  readonly limit: number | null;
  readonly activity: 'ACTIVE' | 'SCHEDULED' | 'EXPIRED';
  readonly codes: readonly { readonly code: string; readonly uses: number }[];
}

const code = fc.record({
  code: fc.stringMatching(/^[A-ZÄß][A-Z0-9Ä -]{0,8}[A-Z0-9]$/),
  uses: fc.nat(99),
});

/** Discounts that have no code in common. */
export const discounts = fc
  .array(
    fc.record({
      kind: fc.constantFrom('percentage', 'percentage', 'amount', 'bxgy', 'shipping'),
      title: fc.constantFrom('Team', 'A & B', '20 % "off"', 'Größe'),
      tenths: fc.nat(1000),
      limit: fc.option(fc.integer({ min: 1, max: 500 })),
      activity: fc.constantFrom('ACTIVE', 'SCHEDULED', 'EXPIRED'),
      codes: fc.array(code, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all.map((one, at): CatalogueDiscount => ({
      ...one,
      codes: one.codes.map((each, index) => ({ ...each, code: `${each.code} ${at}-${index}` })),
    })),
  );

const TIMES = {
  ACTIVE: { start: '2026-01-01', end: null },
  SCHEDULED: { start: '2999-01-01', end: null },
  EXPIRED: { start: '2026-01-01', end: '2026-02-01' },
} as const;

/** Returns a discount as the GraphQL API has it. */
export function shopDiscount(one: CatalogueDiscount): ShopDiscount {
  const { start, end } = TIMES[one.activity];
  return discount(KINDS[one.kind].type, {
    title: one.title,
    status: one.activity,
    startsAt: `${start}T00:00:00Z`,
    endsAt: end === null ? null : `${end}T00:00:00Z`,
    usageLimit: one.limit,
    customerGets: {
      value:
        one.kind === 'percentage'
          ? { __typename: 'DiscountPercentage', percentage: one.tenths / 1000 }
          : { __typename: 'DiscountAmount', amount: { amount: '5.0' } },
    },
    codes: one.codes.map((each, index) => ({
      id: `gid://shopify/DiscountRedeemCode/${index + 1}`,
      code: each.code,
      asyncUsageCount: each.uses,
    })),
  });
}

/** Shopify's export of discounts, with a row for each code. */
export function discountsCsv(all: readonly CatalogueDiscount[], style: CsvStyle): string {
  const rows = all.flatMap(({ kind, tenths, limit, activity, codes }) => {
    const { start, end } = TIMES[activity];
    return codes.map((each) => ({
      Name: each.code,
      Value: kind === 'percentage' ? `-${tenths / 10}` : '-5.0',
      'Value Type': kind === 'percentage' ? 'percentage' : 'fixed_amount',
      Type: KINDS[kind].csv,
      'Discount Class': 'order',
      'Times Used In Total': String(each.uses),
      'Usage Limit Per Code': limit === null ? '' : String(limit),
      Status: `${activity.slice(0, 1)}${activity.slice(1).toLowerCase()}`,
      Start: `${start} 00:00:00 UTC`,
      End: end === null ? '' : `${end} 00:00:00 UTC`,
    }));
  });
  const header = [
    'Name',
    'Value',
    'Value Type',
    'Type',
    'Discount Class',
    'Times Used In Total',
    'Usage Limit Per Code',
    'Status',
    'Start',
    'End',
  ];
  return csvOf(header, rows, style);
}
