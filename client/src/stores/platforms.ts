import type { CsvTable } from './csv/csv-table.ts';
import type { Texts } from './csv/texts.ts';
import type { JsonReader } from './json-values.ts';
import { refuseOtherExports } from './other-exports.ts';
import { readShopifyCsv } from './shopify/csv.ts';
import { readShopifyDiscountsCsv } from './shopify/discounts-csv.ts';
import { readShopifyJson } from './shopify/json.ts';
import type { StoreContent } from './store-product.ts';
import { readWooCommerceCsv } from './woocommerce/csv.ts';
import { readWooCommerceJson } from './woocommerce/json.ts';

/**
 * Reads a CSV file as one of a platform, which it recognizes by its header.
 * @returns undefined if it is not the platform's
 * @throws Failure if it is, but lacks a column, or is in a form that is not one of products or discounts
 */
export type CsvReader = (table: CsvTable, texts: Texts) => StoreContent | undefined;

/** The readers of CSV files, in the order in which they are asked. */
export const CSV_READERS: readonly CsvReader[] = [
  refuseOtherExports,
  readShopifyDiscountsCsv,
  readShopifyCsv,
  readWooCommerceCsv,
];

/** The readers of JSON files. */
export const JSON_READERS: readonly JsonReader[] = [readShopifyJson, readWooCommerceJson];

/**
 * Returns what the first of some readers understands.
 * @param read asks one of them
 */
export function firstUnderstood<Reader>(
  readers: readonly Reader[],
  read: (reader: Reader) => StoreContent | undefined,
): StoreContent | undefined {
  for (const reader of readers) {
    const content = read(reader);
    if (content !== undefined) return content;
  }
  return undefined;
}
