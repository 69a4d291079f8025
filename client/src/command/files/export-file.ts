import type { Keys } from './candidates.ts';
import { choose } from './candidates.ts';
import type { CsvTable } from './csv-table.ts';
import type { ExportContent, ExportOptions } from './export-content.ts';
import { FileError } from './file-error.ts';
import { Prices } from './prices.ts';
import { isShopify, readShopify } from './shopify-file.ts';
import type { ReadOptions, StoreFile } from './store-file.ts';
import { Texts } from './texts.ts';
import { unclearOf } from './unclear.ts';
import { isWooCommerce, readWooCommerce } from './woocommerce-file.ts';

/** A platform whose exports can be read. */
interface Platform {
  readonly format: 'shopify' | 'woocommerce';
  readonly name: string;
  readonly source: 'SHOPIFY' | 'WOOCOMMERCE';
  readonly isHeader: (header: readonly string[]) => boolean;
  readonly read: (csv: CsvTable, texts: Texts, options: ExportOptions) => ExportContent;
  /** The fields to match by, and the columns that they need. The first one that a file has is the default. */
  readonly matches: ReadonlyMap<keyof Keys, readonly string[]>;
}

const PLATFORMS: readonly Platform[] = [
  {
    format: 'woocommerce',
    name: 'WooCommerce',
    source: 'WOOCOMMERCE',
    isHeader: isWooCommerce,
    read: readWooCommerce,
    matches: new Map([
      ['storeVariantId', ['id']],
      ['sku', ['sku']],
      ['handle', ['name']],
      ['storeProductId', ['id']],
    ]),
  },
  {
    format: 'shopify',
    name: 'Shopify',
    source: 'SHOPIFY',
    isHeader: isShopify,
    read: readShopify,
    matches: new Map([
      ['handle', ['handle', 'url handle']],
      ['sku', ['variant sku', 'sku']],
    ]),
  },
];

/**
 * Reads an export of a platform.
 * @returns undefined if the header is that of no platform
 * @throws FileError if the table is not such an export, or has no column for the field to match by
 */
export function readExport(csv: CsvTable, options: ReadOptions): StoreFile | undefined {
  const platform = PLATFORMS.find(({ isHeader }) => isHeader(csv.header));
  if (!platform) return undefined;
  const { format, name, source } = platform;
  if (options.collection !== 'products') {
    throw new FileError(
      `The file is an export of products from ${name}, not of ${options.collection}.`,
    );
  }
  const match = matchOf(platform, csv, options);
  const { currency = 'USD', decimalComma = false, variants = 'all' } = options;
  const texts = new Texts();
  const prices = new Prices({ currency, decimalComma });
  const content = platform.read(csv, texts, { currency, prices, variants });
  const { items, skipped, lacksKeys } = choose(content.candidates, match);
  const unclear = unclearOf(csv, texts);
  return {
    format,
    items,
    skipped: [...unclear.skipped, ...skipped],
    hasUnclearRows: unclear.hasUnclearRows || lacksKeys,
    notes: [...texts.notes, ...unclear.notes, ...notesOf(content)],
    match,
    source,
  };
}

/** The field to match by. @throws FileError if the file does not have it */
function matchOf(
  { name, matches }: Platform,
  { header }: CsvTable,
  options: ReadOptions,
): keyof Keys {
  const written = new Set(header.map((one) => one.toLowerCase()));
  const possible = [...matches]
    .filter(([, columns]) => columns.some((column) => written.has(column)))
    .map(([field]) => field);
  const found = possible.find((field) => field === (options.match ?? possible[0]));
  if (found !== undefined) return found;
  throw new FileError(
    `This export from ${name} has no ${options.match ?? ''}. Match by ${possible.join(' or ')}.`,
  );
}

function notesOf({ leftOut, leftOutName, reduced }: ExportContent): string[] {
  return [
    ...(leftOut === 0
      ? []
      : [`${leftOut} ${leftOutName}${leftOut === 1 ? ' was' : 's were'} left out.`]),
    ...(reduced === 0
      ? []
      : [
          `Only the first variant of ${reduced} ${reduced === 1 ? 'product' : 'products'} was read.`,
        ]),
  ];
}
