import type { CollectionName } from './fields.ts';

/** A push item, without `deleted`. */
export type Item = Readonly<Record<string, unknown>>;

/** A row that cannot become an item. */
export interface SkippedRow {
  /** The value of the field to match by; null if it is not known. Its resource must stay. */
  readonly key: string | null;
  readonly reason: string;
}

/** The content of a file. */
export interface StoreFile {
  readonly format: 'json' | 'ndjson' | 'csv' | 'shopify' | 'woocommerce';
  readonly items: readonly Item[];
  /** Rows that cannot become an item, with the value that identifies them if it is known: their resources must stay. */
  readonly skipped: readonly SkippedRow[];
  /** Whether nobody can tell which resource a row means: then nothing may be deleted. */
  readonly hasUnclearRows: boolean;
  /** Sentences for the report, such as "3 control characters were removed." */
  readonly notes: readonly string[];
  /** The field to match by: the one of the options, or what the format has by default; undefined if the user must say it. */
  readonly match: string | undefined;
  /** The `source` that an export's items have, and that what is deleted must have; undefined for others. */
  readonly source: 'SHOPIFY' | 'WOOCOMMERCE' | undefined;
}

/** How to read a file. */
export interface ReadOptions {
  readonly collection: CollectionName;
  /** The field to match by. */
  readonly match?: string | undefined;
  /** The currency of an export's prices, by default USD. */
  readonly currency?: string | undefined;
  /** Whether the prices of an export are written `1.299,00`. */
  readonly decimalComma?: boolean | undefined;
  /** The variants of an export that become products, by default all. `first` adds up their inventory. */
  readonly variants?: 'all' | 'first' | undefined;
}
