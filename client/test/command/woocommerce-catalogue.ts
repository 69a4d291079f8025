import type { WooCommerceColumn } from '../../src/stores/woocommerce/column-names.ts';
import { COLUMN_NAMES } from '../../src/stores/woocommerce/column-names.ts';
import type { CatalogueProduct, CatalogueVariant, Cells, CsvStyle } from './store-catalogues.ts';
import { csvOf, priceOf, safe } from './store-catalogues.ts';
import type { Row } from './woocommerce-stand-in.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';

// Random catalogues, as WooCommerce writes them.

/** A row of an export, by the columns. An attribute has the number of its columns in place of `%d`. */
type ExportRow = Readonly<
  Partial<Record<Exclude<WooCommerceColumn, `attribute${string}`>, string>>
> & { readonly attributes?: readonly (readonly [name: string, value: string])[] };

/** WooCommerce's export, in a language. */
export function wooCommerceCsv(
  products: readonly CatalogueProduct[],
  language: string,
  style: CsvStyle,
): string {
  return csvOf(
    products.flatMap(exportRows).map((row) => titled(row, language)),
    style,
  );
}

function titled({ attributes = [], ...cells }: ExportRow, language: string): Cells {
  const names = COLUMN_NAMES[language];
  if (names === undefined) throw new Error(`There is no language ${language}.`);
  const { attributeName, attributeValue, ...plain } = names;
  const found: Readonly<Record<string, string | undefined>> = cells;
  const row: Record<string, string> = {};
  for (const [column, [title = '']] of Object.entries(plain))
    row[title] = safe(found[column] ?? '');
  for (const number of [1, 2]) {
    const [name = '', value = ''] = attributes[number - 1] ?? [];
    const titleOf = ([title = '']: readonly string[] = []): string =>
      title.replace('%d', String(number));
    row[titleOf(attributeName)] = name;
    row[titleOf(attributeValue)] = value;
  }
  return row;
}

function exportRows(one: CatalogueProduct): ExportRow[] {
  const common = {
    name: one.title,
    published: one.isPublished ? '1' : '-1',
    description: one.description.replaceAll('\\n', '\\\\n').replaceAll('\n', '\\n'),
    images: one.images.join(', '),
  };
  const sold = (each: CatalogueVariant): ExportRow => ({
    id: String(each.id),
    sku: each.sku ?? '',
    inStock: isSoldOut(each) ? '0' : '1',
    stock: typeof each.stock === 'number' ? String(each.stock) : '',
    price: priceOf(each),
    salePrice: each.hasOtherPrice ? '0.01' : '',
  });
  if (one.isSimple) {
    return one.variants.map((each) => ({ ...common, ...sold(each), type: 'simple' }));
  }
  const variations = one.variants.map((each) => ({
    ...sold(each),
    type: 'variation',
    name: `${one.title} - ${each.values.join(', ')}`,
    published: '1',
    parent: `id:${one.id}`,
    images: each.image ?? '',
    ...(one.sharedStock !== null && { stock: 'parent' }),
    attributes: each.values.map(
      (value, at) => [one.options[at] ?? '', value.replaceAll(',', '\\,')] as const,
    ),
  }));
  const stock = one.sharedStock === null ? '' : String(one.sharedStock);
  return [{ ...common, id: String(one.id), type: 'variable', stock }, ...variations];
}

function isSoldOut({ stock }: CatalogueVariant): boolean {
  return stock === 'out of stock' || stock === 0;
}

/** What WooCommerce has. */
export function wooCommerceRows(all: readonly CatalogueProduct[]): {
  readonly products: Row[];
  readonly variations: Row[];
} {
  return { products: all.flatMap(productRows), variations: all.flatMap(variationRows) };
}

/** What WooCommerce's API says, with the variations behind the products. */
export function wooCommerceJson(all: readonly CatalogueProduct[]): string {
  const { products, variations } = wooCommerceRows(all);
  return JSON.stringify([...products, ...variations]);
}

function soldMembers(each: CatalogueVariant): Row {
  const isCounted = typeof each.stock === 'number';
  return {
    sku: each.sku ?? '',
    price: priceOf(each),
    regular_price: priceOf(each),
    sale_price: each.hasOtherPrice ? '0.01' : '',
    manage_stock: isCounted,
    stock_quantity: isCounted ? each.stock : null,
    stock_status: isSoldOut(each) ? 'outofstock' : 'instock',
  };
}

function productRows(one: CatalogueProduct): Row[] {
  const common = {
    name: one.title.replaceAll('&', '&amp;'),
    // The store's own CSV has none.
    slug: '',
    status: one.isPublished ? 'publish' : 'draft',
    description: one.description,
    images: one.images.map((src) => ({ src })),
  };
  if (one.isSimple) {
    return one.variants.map((each) => product(each.id, { ...common, ...soldMembers(each) }));
  }
  const ids = one.variants.map(({ id }) => id);
  const parent = variableProduct(one.id, ids, {
    ...common,
    sku: '',
    attributes: one.options.map((name, at) => ({
      name,
      variation: true,
      options: one.variants.map(({ values }) => values[at]),
    })),
    manage_stock: one.sharedStock !== null,
    stock_quantity: one.sharedStock,
  });
  return [parent];
}

function variationRows(one: CatalogueProduct): Row[] {
  if (one.isSimple) return [];
  const shared = { manage_stock: 'parent', stock_quantity: one.sharedStock };
  return one.variants.map((each) =>
    variation(each.id, one.id, each.values.join(', '), {
      image: each.image === null ? null : { src: each.image },
      attributes: one.options.map((name, at) => ({ name, option: each.values[at] })),
      ...soldMembers(each),
      ...(one.sharedStock !== null && shared),
    }),
  );
}
