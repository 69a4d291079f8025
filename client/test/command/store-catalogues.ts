import fc from 'fast-check';
import type { WooCommerceColumn } from '../../src/stores/woocommerce/column-names.ts';
import { COLUMN_NAMES, WOOCOMMERCE_COLUMNS } from '../../src/stores/woocommerce/column-names.ts';

// Random catalogues, written as stores write them, and the items that the service must have of them.

/** What is sold of a product. The stock is a number if the store counts it. */
export interface CatalogueVariant {
  readonly id: number;
  readonly sku: string | null;
  readonly values: readonly string[];
  readonly cents: number;
  readonly hasOtherPrice: boolean;
  readonly stock: number | 'in stock' | 'out of stock';
  /** Its own among the images of its product. */
  readonly image: string | null;
}

/** A product of a store, with one variant if it has no options. */
export interface CatalogueProduct {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly isPublished: boolean;
  readonly images: readonly string[];
  readonly options: readonly string[];
  readonly variants: readonly CatalogueVariant[];
  /** What its variants share in place of their own stock, which only WooCommerce knows. */
  readonly sharedStock: number | null;
}

const word = fc.constantFrom(
  'Größe',
  'Red',
  'blue',
  'A&B',
  'C#',
  '½',
  "O'Neill",
  '"X"',
  '🔴',
  'סל',
);
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const html = fc.array(fc.constantFrom('<p>a, b</p>', '&amp;', '\n', '\\n', ';', '"', ' ', 'é'));

const variant = fc.record({
  sku: fc.option(fc.stringMatching(/^[=A-Z][A-Z0-9-]{0,8}$/)),
  values: fc.tuple(text, text),
  cents: fc.nat(10_000_000),
  hasOtherPrice: fc.boolean(),
  stock: fc.oneof(
    fc.integer({ min: -9, max: 999 }),
    fc.constantFrom('in stock' as const, 'out of stock' as const),
  ),
  image: fc.nat(4),
});

const product = fc.record({
  title: text,
  description: html.map((parts) => parts.join('').trim()),
  isPublished: fc.boolean(),
  images: fc.uniqueArray(fc.stringMatching(/^https:\/\/x\.example\/[a-z]{1,9}\.jpg$/), {
    maxLength: 3,
  }),
  options: fc.constantFrom([], ['Size'], ['Size', 'Colour']),
  variants: fc.array(variant, { minLength: 1, maxLength: 4 }),
  sharedStock: fc.option(fc.integer({ min: -9, max: 999 })),
});

/** Catalogues whose products have no title in common, and whose variants no values. */
export const catalogues = fc
  .uniqueArray(product, {
    minLength: 1,
    maxLength: 6,
    selector: ({ title }) => title.toLowerCase(),
  })
  .map((products) =>
    products.map((one, at): CatalogueProduct => {
      const { length } = one.options;
      const own = length === 0 ? one.variants.slice(0, 1) : one.variants;
      const all = own.map((each, index) => ({
        ...each,
        id: 1000 * (at + 1) + index + 1,
        values: each.values.slice(0, length).map((value) => `${value} ${index}`),
        image: length === 0 ? null : (one.images[each.image] ?? null),
      }));
      const sharedStock = length === 0 ? null : one.sharedStock;
      return { ...one, id: 1000 * (at + 1), variants: all, sharedStock };
    }),
  );

/** A way to write CSV. */
export interface CsvStyle {
  readonly delimiter: ',' | ';' | '\t';
  readonly lineEnd: '\n' | '\r\n';
  readonly hasMark: boolean;
}

export const csvStyles: fc.Arbitrary<CsvStyle> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  hasMark: fc.boolean(),
});

type Cells = Readonly<Record<string, string>>;

/** Returns CSV with these columns; a cell that a row does not have is empty. */
export function csvOf(header: readonly string[], rows: readonly Cells[], style: CsvStyle): string {
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  const mark = style.hasMark ? '\uFEFF' : '';
  return (
    mark +
    lines
      .map(
        (cells) =>
          cells
            .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
            .join(style.delimiter) + style.lineEnd,
      )
      .join('')
  );
}

function priceOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** A store writes an apostrophe before what a spreadsheet would take for a formula. */
function safe(cell: string): string {
  return /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
}

/** Shopify's export: the texts of a product are in its first row, and each further image has a row. */
export function shopifyCsv(products: readonly CatalogueProduct[], style: CsvStyle): string {
  const rows = products.flatMap((one): Cells[] => {
    const handle = handleOf(one);
    const sold = one.variants.map((each, at): Cells => ({
      Handle: handle,
      ...(one.options.length === 0
        ? { 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' }
        : optionCells(one, each, at)),
      'Variant SKU': safe(each.sku ?? ''),
      'Variant Inventory Tracker': typeof each.stock === 'number' ? 'shopify' : '',
      'Variant Inventory Qty': typeof each.stock === 'number' ? safe(String(each.stock)) : '0',
      'Variant Price': priceOf(each.cents),
      'Variant Compare At Price': each.hasOtherPrice ? '1000000.00' : '',
      'Variant Image': each.image ?? '',
    }));
    const length = Math.max(sold.length, one.images.length);
    const all = Array.from({ length }, (_, at): Cells => {
      const image = one.images[at];
      return {
        ...(sold[at] ?? { Handle: handle }),
        ...(image !== undefined && { 'Image Src': image, 'Image Position': String(at + 1) }),
      };
    });
    const [first, ...others] = all;
    const texts = {
      Title: one.title,
      'Body (HTML)': safe(one.description),
      Status: one.isPublished ? 'active' : 'draft',
    };
    return [{ ...first, ...texts }, ...others];
  });
  const header = [
    'Handle',
    'Title',
    'Body (HTML)',
    'Option1 Name',
    'Option1 Value',
    'Option2 Name',
    'Option2 Value',
    'Variant SKU',
    'Variant Inventory Tracker',
    'Variant Inventory Qty',
    'Variant Price',
    'Variant Compare At Price',
    'Image Src',
    'Image Position',
    'Variant Image',
    'Status',
  ];
  return csvOf(header, rows, style);
}

function optionCells(one: CatalogueProduct, each: CatalogueVariant, at: number): Cells {
  return Object.fromEntries(
    one.options.flatMap((name, index) => [
      [`Option${index + 1} Name`, at === 0 ? name : ''],
      [`Option${index + 1} Value`, each.values[index] ?? ''],
    ]),
  );
}

/** Shopify's REST list of products. Shopify writes `null` where nothing is counted. */
export function shopifyJson(products: readonly CatalogueProduct[]): string {
  const list = products.map((one) => ({
    id: one.id,
    title: one.title,
    body_html: one.description,
    handle: handleOf(one),
    status: one.isPublished ? 'active' : 'draft',
    options: one.options.map((name) => ({ name })),
    images: one.images.map((src, at) => ({ id: 10 * one.id + at, src, position: at + 1 })),
    variants: one.variants.map((each) => ({
      id: each.id,
      product_id: one.id,
      title: one.options.length === 0 ? 'Default Title' : each.values.join(' / '),
      option1: one.options.length === 0 ? 'Default Title' : each.values[0],
      option2: each.values[1] ?? null,
      option3: null,
      sku: each.sku ?? '',
      price: priceOf(each.cents),
      compare_at_price: each.hasOtherPrice ? '1000000.00' : null,
      image_id: each.image === null ? null : 10 * one.id + one.images.indexOf(each.image),
      inventory_management: typeof each.stock === 'number' ? 'shopify' : null,
      inventory_quantity: typeof each.stock === 'number' ? each.stock : 0,
    })),
  }));
  return JSON.stringify({ products: list });
}

/** WooCommerce's export, in a language. */
export function wooCommerceCsv(
  products: readonly CatalogueProduct[],
  language: string,
  style: CsvStyle,
): string {
  const names = COLUMN_NAMES[language];
  if (names === undefined) throw new Error(`There is no language ${language}.`);
  const firstOf = (column: WooCommerceColumn): string => names[column]?.[0] ?? '';
  const [attributeName, attributeValue] = [firstOf('attributeName'), firstOf('attributeValue')];
  const nameOf = (pattern: string, number: number): string => pattern.replace('%d', String(number));
  const named = (cells: Partial<Record<WooCommerceColumn, string>>): Cells =>
    Object.fromEntries(
      WOOCOMMERCE_COLUMNS.map(
        (column) => [firstOf(column), safe(cells[column] ?? '')] as const,
      ).filter(([, cell]) => cell !== ''),
    );
  const soldCells = (each: CatalogueVariant): Cells =>
    named({
      sku: each.sku ?? '',
      inStock: each.stock === 'out of stock' || each.stock === 0 ? '0' : '1',
      stock: typeof each.stock === 'number' ? String(each.stock) : '',
      price: priceOf(each.cents),
      salePrice: each.hasOtherPrice ? '0.01' : '',
    });
  const rows = products.flatMap((one): Cells[] => {
    const [first] = one.variants;
    const common = named({
      id: String(one.options.length === 0 ? (first?.id ?? 0) : one.id),
      type: one.options.length === 0 ? 'simple' : 'variable',
      name: one.title,
      published: one.isPublished ? '1' : '-1',
      description: one.description.replaceAll('\\n', '\\\\n').replaceAll('\n', '\\n'),
      images: one.images.join(', '),
      stock: one.sharedStock === null ? '' : String(one.sharedStock),
    });
    if (one.options.length === 0) return [{ ...common, ...(first && soldCells(first)) }];
    const variations = one.variants.map((each): Cells => {
      const attributes = one.options.flatMap((name, index) => [
        [nameOf(attributeName, index + 1), name] as const,
        [
          nameOf(attributeValue, index + 1),
          (each.values[index] ?? '').replaceAll(',', '\\,'),
        ] as const,
      ]);
      return {
        ...soldCells(each),
        ...named({
          id: String(each.id),
          type: 'variation',
          name: `${one.title} - ${each.values.join(', ')}`,
          published: '1',
          parent: `id:${one.id}`,
          images: each.image ?? '',
          ...(one.sharedStock !== null && { stock: 'parent' }),
        }),
        ...Object.fromEntries(attributes),
      };
    });
    return [common, ...variations];
  });
  const { attributeName: _, attributeValue: __, ...plain } = names;
  const header = [
    ...Object.values(plain).map(([name = '']) => name),
    ...[1, 2].flatMap((number) => [nameOf(attributeName, number), nameOf(attributeValue, number)]),
  ];
  return csvOf(header, rows, style);
}

/** What WooCommerce's API says, with the variations behind the products. */
export function wooCommerceJson(products: readonly CatalogueProduct[]): string {
  const sold = (each: CatalogueVariant): object => ({
    sku: each.sku ?? '',
    price: priceOf(each.cents),
    regular_price: priceOf(each.cents),
    sale_price: each.hasOtherPrice ? '0.01' : '',
    manage_stock: typeof each.stock === 'number',
    stock_quantity: typeof each.stock === 'number' ? each.stock : null,
    stock_status: each.stock === 'out of stock' || each.stock === 0 ? 'outofstock' : 'instock',
  });
  const parents = products.map((one) => {
    const [first] = one.variants;
    const isSimple = one.options.length === 0;
    return {
      id: isSimple ? first?.id : one.id,
      parent_id: 0,
      type: isSimple ? 'simple' : 'variable',
      status: one.isPublished ? 'publish' : 'draft',
      name: one.title.replaceAll('&', '&amp;'),
      // The store's own CSV has none.
      slug: '',
      description: one.description,
      images: one.images.map((src) => ({ src })),
      attributes: one.options.map((name, index) => ({
        id: 0,
        name,
        position: index,
        variation: true,
        options: one.variants.map(({ values }) => values[index]),
      })),
      variations: isSimple ? [] : one.variants.map(({ id }) => id),
      sku: '',
      regular_price: '',
      sale_price: '',
      manage_stock: one.sharedStock !== null,
      stock_quantity: one.sharedStock,
      stock_status: 'instock',
      ...(isSimple && first && sold(first)),
    };
  });
  const variations = products.flatMap((one) =>
    one.options.length === 0
      ? []
      : one.variants.map((each) => ({
          id: each.id,
          parent_id: one.id,
          type: 'variation',
          status: 'publish',
          name: each.values.join(', '),
          description: '',
          image: each.image === null ? null : { src: each.image },
          attributes: one.options.map((name, index) => ({
            id: 0,
            name,
            option: each.values[index],
          })),
          ...sold(each),
          ...(one.sharedStock !== null && {
            manage_stock: 'parent',
            stock_quantity: one.sharedStock,
          }),
        })),
  );
  return JSON.stringify([...parents, ...variations]);
}

/** A handle that only this product has. */
export function handleOf({ id }: CatalogueProduct): string {
  return `product-${id}`;
}
