import { composed } from '../../stored-text.ts';
import type { CsvTable } from '../csv/csv-table.ts';
import type { NamedColumn } from '../csv/named-table.ts';
import { Failure } from '../../../../common/failure.ts';
import type { WooCommerceColumn } from './column-names.ts';
import { COLUMN_NAMES, WOOCOMMERCE_COLUMNS } from './column-names.ts';

/** A column of a header: `attributeName 1` and `attributeValue 1` have the number of their attribute. */
export type Column = WooCommerceColumn | `${WooCommerceColumn} ${string}`;

/** The columns without which nothing can be read. */
const REQUIRED = ['type', 'name', 'price'] as const;

/** So many known columns make an export of a header that lacks one. */
const FEWEST = 3;

/** Columns whose names hardly any other file has. */
const DISTINCTIVE: ReadonlySet<string> = new Set<WooCommerceColumn>([
  'published',
  'inStock',
  'salePrice',
  'price',
  'attributeName',
  'attributeValue',
]);

/** The fields that columns decide of which a program may have spoilt the cells. */
const SPOILABLE_FIELDS: ReadonlyMap<string, string> = new Map<WooCommerceColumn, string>([
  ['id', 'storeVariantId'],
  ['sku', 'sku'],
  ['name', 'title'],
  ['description', 'description'],
  ['attributeValue', 'handle'],
]);

/** The columns of all languages, by their names. No name means different columns in two languages. */
const COLUMNS: ReadonlyMap<string, WooCommerceColumn> = new Map(
  Object.values(COLUMN_NAMES).flatMap((names) =>
    WOOCOMMERCE_COLUMNS.flatMap((column) =>
      (names[column] ?? []).map((name) => [comparable(name), column] as const),
    ),
  ),
);

interface Header {
  readonly columns: Readonly<Partial<Record<Column, NamedColumn>>>;
  /** The numbers of its attributes. */
  readonly attributes: readonly string[];
}

/**
 * Reads a header in any language, or in a mixture of languages.
 * @returns undefined if the table is no export
 * @throws Failure if it is, and lacks a column
 */
export function readHeader({ header, rows }: CsvTable): Header | undefined {
  const columns: Partial<Record<Column, NamedColumn>> = {};
  const attributes = new Set<string>();
  let known = 0;
  let isDistinctive = false;
  for (const name of header) {
    const number = /\d+/.exec(name)?.[0];
    const column = columnOf(name, number);
    if (column === undefined) continue;
    isDistinctive ||= DISTINCTIVE.has(column.replace(/ .*/s, ''));
    const names = columns[column]?.names ?? [];
    const field = SPOILABLE_FIELDS.get(column.replace(/ .*/s, ''));
    columns[column] = {
      names: [...names, name],
      isText: column === 'description' || column === 'images',
      isKey: column === 'sku' || column === 'id',
      ...(field !== undefined && { field }),
    };
    if (column.startsWith('attribute') && number !== undefined) attributes.add(number);
    else known++;
  }
  const lacking = REQUIRED.filter((column) => columns[column] === undefined);
  if (lacking.length === 0) return { columns, attributes: [...attributes] };
  const isKnown = known >= FEWEST;
  const hasKind = columns.id !== undefined && columns.type !== undefined;
  if (!(isKnown && (isDistinctive || hasKind)) && !hasTypes(rows)) return undefined;
  const names = COLUMN_NAMES[isKnown ? languageOf(header) : 'en'];
  const named = lacking.map((column) => `"${names?.[column]?.[0] ?? column}"`);
  throw new Failure(
    `The file looks like an export of products from WooCommerce, but has no column ${named.join(' and ')}. Export all columns; if the names of its columns are in a language that is not known, export in English.`,
  );
}

const TYPE = /^(?:simple|variable|variation)(?:, ?(?:virtual|downloadable)){0,2}$/;

/** Whether one of the first rows has a type of WooCommerce, which is never translated. */
function hasTypes(rows: CsvTable['rows']): boolean {
  return rows.slice(0, 20).some(({ cells }) => cells.some((cell) => TYPE.test(cell)));
}

function columnOf(name: string, number: string | undefined): Column | undefined {
  const plain = COLUMNS.get(comparable(name));
  if (plain !== undefined || number === undefined) return plain;
  const attribute = COLUMNS.get(comparable(name.replace(number, '%d')));
  return attribute === undefined ? undefined : `${attribute} ${number}`;
}

/** The language that has the most of these names. */
function languageOf(header: readonly string[]): string {
  const written = new Set(header.map(comparable));
  const counts = Object.entries(COLUMN_NAMES).map(([language, names]) => {
    const all = Object.values(names).flat();
    return { language, count: all.filter((name) => written.has(comparable(name))).length };
  });
  // The sort is stable, and English comes first.
  return counts.sort((a, b) => b.count - a.count)[0]?.language ?? 'en';
}

function comparable(name: string): string {
  return composed(name).replaceAll('’', "'").toLowerCase();
}
