import type { Options } from 'csv-parse/sync';
import { CsvError, parse } from 'csv-parse/sync';
import * as z from 'zod';

// A cell as the service stores it, so that equal values match: trimmed and in NFC. Shopify writes an apostrophe before what
// a spreadsheet would take for a formula or, as an SKU, for a number.
const text = z
  .string()
  .default('')
  .transform((cell) =>
    cell
      .trim()
      .normalize('NFC')
      .replace(/^'(?=[=+\-@])/, ''),
  );
const line = text.transform((cell) => cell.replace(/[\t\r\n]+/g, ' '));
const sku = line.transform((cell) => cell.replace(/^'(?=\d+$)/, ''));

const rowSchema = z.object({
  handle: line,
  title: line,
  description: text,
  published: line,
  status: line,
  option1: line,
  option2: line,
  option3: line,
  sku,
  price: line,
  comparePrice: line,
  quantity: line,
  image: line,
  imagePosition: line,
  variantImage: line,
});

/** A row of an export. A cell is empty if the row or the file does not have it. */
export type ExportRow = Readonly<z.infer<typeof rowSchema>>;

/** What the importer reads of a row. */
export type Column = keyof ExportRow;

/** The names of a column: in Shopify's old template, then in the new one. If a file has both, the first counts. */
const NAMES: Readonly<Record<Column, readonly string[]>> = {
  handle: ['Handle', 'URL handle'],
  title: ['Title'],
  description: ['Body (HTML)', 'Description'],
  published: ['Published', 'Published on online store'],
  status: ['Status'],
  option1: ['Option1 Value'],
  option2: ['Option2 Value'],
  option3: ['Option3 Value'],
  sku: ['Variant SKU', 'SKU'],
  price: ['Variant Price', 'Price'],
  comparePrice: ['Variant Compare At Price', 'Compare-at price'],
  quantity: ['Variant Inventory Qty', 'Inventory quantity'],
  image: ['Image Src', 'Product image URL'],
  imagePosition: ['Image Position'],
  variantImage: ['Variant Image', 'Variant image URL'],
};

const REQUIRED: readonly Column[] = ['handle', 'title', 'price'];

/** The rows of an export, and the columns that it has. */
export interface ExportTable {
  readonly rows: readonly ExportRow[];
  readonly columns: ReadonlySet<Column>;
}

const DELIMITERS = [',', ';', '\t'];

const CSV: Options = {
  bom: true,
  skip_records_with_empty_values: true,
  relax_column_count_less: true,
  relax_quotes: true,
};

/**
 * The text of an export: UTF-8, or UTF-16 with a byte order mark.
 * @throws Error if it is neither: a spreadsheet may have saved it in another encoding, and its letters would be lost
 */
export function decodeExport(bytes: Uint8Array): string {
  try {
    // The parser removes the byte order mark.
    const text = new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: true }).decode(bytes);
    // English in UTF-16 is also valid UTF-8.
    if (text[1] !== '\0') return text;
  } catch (cause) {
    throw notAnExport('the file is not in UTF-8, nor in UTF-16 with a byte order mark', cause);
  }
  throw notAnExport('the file is not in UTF-8, and in UTF-16 without a byte order mark');
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * Parses an export: CSV with a header line, and commas, semicolons or tabs between its cells. Rows without a value are left
 * out.
 * @throws Error if the text is not such an export
 */
export function readTable(csv: string): ExportTable {
  try {
    const { header, delimiter } = readHeader(csv);
    const columns = columnsOf(header);
    const rows: unknown = parse(csv, {
      ...CSV,
      delimiter,
      columns: () => header.map((_, at) => columns.get(at)),
    });
    return { rows: z.array(rowSchema).parse(rows), columns: new Set(columns.values()) };
  } catch (error) {
    if (error instanceof CsvError) throw notAnExport(error.message, error);
    throw error;
  }
}

/** The header line, by the delimiter that divides it into the most cells. */
function readHeader(csv: string): { readonly header: string[]; readonly delimiter: string } {
  const [longest = { header: [], delimiter: ',' }] = DELIMITERS.map((delimiter) => {
    const [header = []] = parse(csv, { ...CSV, delimiter, to: 1 });
    return { header: header.map((name) => name.trim()), delimiter };
  }).sort((a, b) => b.header.length - a.header.length);
  return longest;
}

/** Returns what the importer reads of a table, by the places of the columns. */
function columnsOf(header: readonly string[]): Map<number, Column> {
  const written = header.map((name) => name.toLowerCase());
  const columns = new Map<number, Column>();
  const missing: string[] = [];
  for (const column of rowSchema.keyof().options) {
    const name = NAMES[column].find((name) => written.includes(name.toLowerCase()));
    const at = written.indexOf(name?.toLowerCase() ?? '');
    if (name === undefined) {
      if (REQUIRED.includes(column)) missing.push(NAMES[column].join(' or '));
      // Which of them counts would be a guess.
    } else if (written.includes(name.toLowerCase(), at + 1)) {
      throw notAnExport(`it has two columns ${name}`);
    } else columns.set(at, column);
  }
  const names = header.filter((name) => name !== '').join(', ');
  if (names === '') throw notAnExport('the file is empty');
  if (missing.length > 0) {
    throw notAnExport(`it has no column ${missing.join(' and no column ')}, only ${names}`);
  }
  return columns;
}

function notAnExport(reason: string, cause?: unknown): Error {
  return new Error(`This is not a Shopify product export: ${reason}.`, { cause });
}
