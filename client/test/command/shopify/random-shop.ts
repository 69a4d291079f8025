import fc from 'fast-check';
import type { CatalogueProduct, CatalogueVariant, Cells, CsvStyle } from '../store-catalogues.ts';
import { csvOf, priceOf, safe } from '../store-catalogues.ts';
import type { ShopDiscount, ShopObject, ShopProduct } from './catalogue.ts';
import { discount, product, variant } from './catalogue.ts';

// Random catalogues and discounts, as a shop of Shopify has them, and as it exports them.

/** Returns a product as the GraphQL API has it. */
export function shopProduct(one: CatalogueProduct): ShopProduct {
  const images = one.images.map((url, at) => imageOf(url, 10 * one.id + at));
  return product(
    one.title,
    one.variants.map((each) =>
      variant(one.isSimple ? ['Default Title'] : each.values, {
        id: `gid://shopify/ProductVariant/${each.id}`,
        sku: each.sku,
        price: priceOf(each),
        compareAtPrice: each.hasOtherPrice ? '1000000.00' : null,
        ...stockOf(each),
        media: images.filter((_, at) => each.image !== null && one.images[at] === each.image),
      }),
    ),
    {
      id: `gid://shopify/Product/${one.id}`,
      handle: `product-${one.id}`,
      descriptionHtml: one.description,
      status: one.isPublished ? 'ACTIVE' : 'DRAFT',
      hasOnlyDefaultVariant: one.isSimple,
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

/** Shopify's export: the texts of a product are in its first row, and each further image has a row. */
export function shopifyCsv(products: readonly CatalogueProduct[], style: CsvStyle): string {
  const rows = products.flatMap((one) => {
    const length = Math.max(one.variants.length, one.images.length);
    return Array.from({ length }, (_, at): Cells => {
      const [each, image] = [one.variants[at], one.images[at]];
      return {
        Handle: `product-${one.id}`,
        ...(at === 0 && {
          Title: one.title,
          'Body (HTML)': safe(one.description),
          Status: one.isPublished ? 'active' : 'draft',
        }),
        ...(each !== undefined && variantCells(one, each, at)),
        'Image Src': image ?? '',
        'Image Position': image === undefined ? '' : String(at + 1),
      };
    });
  });
  return csvOf(rows, style);
}

function variantCells(one: CatalogueProduct, each: CatalogueVariant, at: number): Cells {
  const isCounted = typeof each.stock === 'number';
  const [names, values] = one.isSimple
    ? [['Title'], ['Default Title']]
    : [one.options, each.values];
  const options = [0, 1].flatMap((index) => [
    [`Option${index + 1} Name`, (at === 0 && names[index]) || ''] as const,
    [`Option${index + 1} Value`, values[index] ?? ''] as const,
  ]);
  return {
    ...Object.fromEntries(options),
    'Variant SKU': safe(each.sku ?? ''),
    'Variant Inventory Tracker': isCounted ? 'shopify' : '',
    'Variant Inventory Qty': isCounted ? safe(String(each.stock)) : '0',
    'Variant Price': priceOf(each),
    'Variant Compare At Price': each.hasOtherPrice ? '1000000.00' : '',
    'Variant Image': each.image ?? '',
  };
}

/** Shopify's REST list of products. Shopify writes `null` where nothing is counted. */
export function shopifyJson(products: readonly CatalogueProduct[]): string {
  const list = products.map((one) => ({
    id: one.id,
    title: one.title,
    body_html: one.description,
    handle: `product-${one.id}`,
    status: one.isPublished ? 'active' : 'draft',
    options: one.options.map((name) => ({ name })),
    images: one.images.map((src, at) => ({ id: 10 * one.id + at, src, position: at + 1 })),
    variants: one.variants.map((each) => ({
      id: each.id,
      product_id: one.id,
      title: one.isSimple ? 'Default Title' : each.values.join(' / '),
      option1: one.isSimple ? 'Default Title' : each.values[0],
      option2: each.values[1] ?? null,
      option3: null,
      sku: each.sku ?? '',
      price: priceOf(each),
      compare_at_price: each.hasOtherPrice ? '1000000.00' : null,
      image_id: each.image === null ? null : 10 * one.id + one.images.indexOf(each.image),
      inventory_management: typeof each.stock === 'number' ? 'shopify' : null,
      inventory_quantity: typeof each.stock === 'number' ? each.stock : 0,
    })),
  }));
  return JSON.stringify({ products: list });
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
  return csvOf(rows, style);
}
