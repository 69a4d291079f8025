import { Problem } from './candidates.ts';

/**
 * Adds up inventory. An empty cell is 0. WooCommerce may write `5.0000`.
 * @throws Problem if one of them is not a whole number
 */
export function sumOf(quantities: readonly string[]): number {
  const unreadable = quantities.find((text) => !/^(?:-?\d+(?:\.0+)?)?$/.test(text));
  if (unreadable !== undefined) throw new Problem(`its quantity is "${unreadable}"`);
  return quantities.reduce((sum, text) => sum + Number(text), 0);
}
