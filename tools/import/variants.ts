import { slugify } from '../../src/fields/handle.ts';
import type { ExportRow } from './export-table.ts';

/** What Shopify calls the only variant of a product. */
const DEFAULT = 'Default Title';

/** The options of a variant that a customer chooses. */
function optionsOf({ option1, option2, option3 }: ExportRow): string[] {
  return [option1, option2, option3].filter((value) => value !== '' && value !== DEFAULT);
}

/**
 * Returns the variants among the rows of a product: the rows with an option, an SKU or a price. The others have an image,
 * or texts of the product.
 */
export function variantsOf(rows: readonly ExportRow[]): readonly ExportRow[] {
  const variants = rows.filter(
    ({ option1, option2, option3, sku, price }) =>
      `${option1}${option2}${option3}${sku}${price}` !== '',
  );
  // A product without variants is reported by what it lacks.
  return variants.length === 0 ? rows.slice(0, 1) : variants;
}

/** The title of one of several variants: `Shirt - M / Red`. */
export function variantTitle(title: string, variant: ExportRow): string {
  const options = optionsOf(variant);
  return options.length === 0 ? title : `${title} - ${options.join(' / ')}`;
}

/** The handle of one of several variants: `shirt-m-red`. */
export function variantHandle(variant: ExportRow): string {
  const slug = slugOf(optionsOf(variant).join(' '));
  return slug === '' ? variant.handle : `${variant.handle}-${slug}`;
}

/** A slug that keeps the letters of scripts that have no ASCII spelling: without them, all variants would have one handle. */
function slugOf(text: string): string {
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return slugify(text);
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join('-').normalize('NFC');
}

/** Says what is left out if only the first variant is imported; undefined if it is the only one. */
export function leftOut([first, ...others]: readonly ExportRow[]): string | undefined {
  if (first === undefined || others.length === 0) return undefined;
  const differing = [
    ...(others.some(({ price }) => price !== first.price) ? ['price'] : []),
    ...(others.some(({ sku }) => sku !== first.sku) ? ['SKU'] : []),
  ];
  const count = `${others.length} more ${others.length === 1 ? 'variant' : 'variants'}`;
  return differing.length === 0
    ? count
    : `${count}; only the first one's ${differing.join(' and ')}`;
}
