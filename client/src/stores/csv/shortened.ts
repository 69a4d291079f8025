import type { LeftOutField } from '../store-product.ts';
import type { Values } from '../values.ts';

/** Whether a spreadsheet has shortened a long number: `4.00638E+12`. Which number it was, nobody can tell. */
export function isShortened(cell: string): boolean {
  return /^\d([.,]\d+)?E\+\d+$/.test(cell);
}

/** Says that a cell is no identifier any more, and what to do. */
export function shortenedIn(field: string, cell: string): LeftOutField {
  const reason = `it is "${cell}", to which a spreadsheet has shortened a number. Export the file again, and import this column as text`;
  return { field, reason };
}

/** Returns the SKU of a row: null if it has none, undefined if a spreadsheet has shortened it. */
export function skuIn(cell: string, values: Values): string | null | undefined {
  if (!isShortened(cell)) return cell || null;
  values.leaveOut(shortenedIn('sku', cell));
  return undefined;
}
