/** Returns the whole number that a cell holds; undefined if it holds none. WooCommerce may write `5.0000`. */
export function quantityIn(cell: string): number | undefined {
  return /^-?\d+(?:\.0+)?$/.test(cell) ? Number(cell) : undefined;
}
