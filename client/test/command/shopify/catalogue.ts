// An invented shop, in the shape of Shopify's own schema. Lists of connections are plain lists.

/** Something of a shop. */
export type ShopObject = Record<string, unknown> & { readonly id: string };

/** A product, with what tests change of it. */
export interface ShopProduct extends ShopObject {
  title: string;
  status: string;
  variants: ShopVariant[];
  media: ShopObject[];
}

/** A variant, with what tests change of it. */
export interface ShopVariant extends ShopObject {
  price: string;
  inventoryQuantity: number | null;
}

/** A discount, with its codes. */
export interface ShopDiscount {
  readonly id: string;
  readonly discount: Record<string, unknown> & {
    readonly __typename: string;
    codes?: ShopObject[];
  };
}

/** What a shop has. */
export interface Catalogue {
  readonly products: ShopProduct[];
  readonly discounts: ShopDiscount[];
}

let nextNumber = 1000;

function newId(type: string): string {
  return `gid://shopify/${type}/${nextNumber++}`;
}

/** An image that is ready, or one that Shopify still works on. */
export function image(name: string | null): ShopObject {
  return {
    __typename: 'MediaImage',
    id: newId('MediaImage'),
    image: name === null ? null : { url: `https://cdn.example/${name}` },
  };
}

function video(): ShopObject {
  return { __typename: 'Video', id: newId('Video') };
}

/** A variant, for ten units of the currency and with five pieces. */
export function variant(values: readonly string[], special: object = {}): ShopVariant {
  return {
    __typename: 'ProductVariant',
    id: newId('ProductVariant'),
    sku: null,
    price: '10.00',
    compareAtPrice: null,
    inventoryQuantity: 5,
    selectedOptions: values.map((value, index) => ({ name: `Option ${index + 1}`, value })),
    inventoryItem: { tracked: true },
    media: [],
    ...special,
  };
}

/** A variant of a product without options. */
export function onlyVariant(special: object = {}): ShopVariant {
  return variant(['Default Title'], special);
}

/** An active product. */
export function product(title: string, variants: ShopVariant[], special: object = {}): ShopProduct {
  const [first] = variants;
  const isSingle = JSON.stringify(first?.['selectedOptions']).includes('"Default Title"');
  return {
    __typename: 'Product',
    id: newId('Product'),
    title,
    handle: title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
    descriptionHtml: `<p>${title}</p>`,
    status: 'ACTIVE',
    updatedAt: '2026-11-01T08:00:00Z',
    hasOnlyDefaultVariant: isSingle,
    variants,
    media: [],
    ...special,
  };
}

/** A code that was used so often. */
export function code(text: string, uses = 0): ShopObject {
  return { id: newId('DiscountRedeemCode'), code: text, asyncUsageCount: uses };
}

/** A discount of a kind. */
export function discount(kind: string, special: object): ShopDiscount {
  return {
    id: newId('DiscountNode'),
    discount: {
      __typename: kind,
      title: 'A discount',
      status: 'ACTIVE',
      startsAt: '2026-01-01T00:00:00Z',
      endsAt: null,
      usageLimit: null,
      ...special,
    },
  };
}

/** A percentage off, as a fraction. */
export function percentage(
  fraction: number,
  codes: ShopObject[],
  special: object = {},
): ShopDiscount {
  const customerGets = { value: { __typename: 'DiscountPercentage', percentage: fraction } };
  const title = String(codes[0]?.['code']);
  return discount('DiscountCodeBasic', { title, codes, customerGets, ...special });
}

const FUTURE = '2999-01-01T00:00:00Z';
const PAST = '2026-02-01T00:00:00Z';

/** Returns a shop of 40 products and all kinds of discounts. Its numbers are new at each call. */
export function catalogue(): Catalogue {
  const shared = image('shirt-red.jpg');
  const sizes = ['S', 'M', 'L'].flatMap((size) =>
    ['Red', 'Off White'].map((color) => [size, color]),
  );
  const plain = Array.from({ length: 29 }, (_, index) =>
    product(`Plain ${index + 1}`, [
      onlyVariant({ sku: `P-${index + 1}`, price: `${index + 1}.50` }),
    ]),
  );
  return {
    products: [
      product('Mug & Saucer', [onlyVariant({ sku: 'MUG', price: '8.50', inventoryQuantity: -2 })], {
        media: [image('mug.jpg'), video(), image('mug-2.jpg'), image(null)],
      }),
      product(
        'Shirt',
        sizes.map((values, index) =>
          variant(values, {
            sku: `SHIRT-${index}`,
            price: '19.90',
            compareAtPrice: '25.00',
            media: values.includes('Red') ? [shared] : [],
          }),
        ),
        { media: [image('shirt.jpg'), shared] },
      ),
      product('Poster', [
        onlyVariant({ inventoryItem: { tracked: false }, inventoryQuantity: 0, sku: 'POSTER' }),
      ]),
      product('Sketch', [onlyVariant()], { status: 'DRAFT' }),
      product('Calendar 2019', [onlyVariant()], { status: 'ARCHIVED' }),
      product('Only for friends', [onlyVariant()], { status: 'UNLISTED' }),
      product('Sample', [onlyVariant({ price: '0.00' })]),
      product('Nhẫn bạc', [onlyVariant({ sku: 'NHẪN-1' })], { handle: 'nhẫn-bạc' }),
      product(
        'Gift Card',
        [variant(['25'], { price: '25.00' }), variant(['50'], { price: '50.00' })],
        {
          isGiftCard: true,
        },
      ),
      product('Cap', [variant(['One size'], { inventoryQuantity: null })]),
      product('Sock', [variant(['S20+']), variant(['C#']), variant(['1/2'])]),
      ...plain,
    ],
    discounts: [
      percentage(0.07, [code('SEVEN', 3)], { usageLimit: 100 }),
      percentage(0.1, [code('TEAM-A', 1), code('TEAM-B', 2), code('Größe 20', 0)], {
        title: 'Team',
      }),
      percentage(0.125, [code('EIGHTH')]),
      percentage(0, [code('NOTHING')]),
      percentage(1, [code('ALL')]),
      percentage(0.2, [code('OVER', 12)], { status: 'EXPIRED', endsAt: PAST }),
      percentage(0.2, [code('SOON')], { status: 'SCHEDULED', startsAt: FUTURE }),
      // Shopify has not noticed yet that it has ended.
      percentage(0.3, [code('JUST-OVER')], { endsAt: PAST }),
      discount('DiscountCodeBasic', {
        codes: [code('FIVE-OFF')],
        customerGets: { value: { __typename: 'DiscountAmount', amount: { amount: '5.0' } } },
      }),
      discount('DiscountCodeBxgy', { codes: [code('ONE-FREE')] }),
      discount('DiscountCodeFreeShipping', { codes: [code('SHIP')] }),
      discount('DiscountCodeApp', { codes: [code('APP-CODE')] }),
      discount('DiscountAutomaticBasic', {}),
    ],
  };
}
