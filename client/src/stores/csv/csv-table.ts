import type { Options } from 'csv-parse/sync';
import { CsvError, parse } from 'csv-parse/sync';
import { Failure } from '../failure.ts';

/** A row of a table, with a cell for each column of the header, or fewer. */
export interface TableRow {
  /** Its place in the file, as spreadsheets count: the header is row 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  /** The names of the columns, trimmed, and with one space for all white space in them. */
  readonly header: readonly string[];
  /** The rows that have a value. */
  readonly rows: readonly TableRow[];
  /** The numbers of rows with more values than the header has columns. Which value is in which column is not known. */
  readonly shifted: readonly number[];
  /** The numbers of neighbouring rows that have the values of one row together: a text in it has a line end. */
  readonly broken: readonly (readonly number[])[];
  /** The number of the last row, if that has no line end. */
  readonly openRow: number | undefined;
  /** Whether that row also lacks values, so that it cannot be read. */
  readonly isCut: boolean;
  /** Whether quotation marks are placed so that cells, and even rows, may have been divided in the wrong places. */
  readonly hasStrayQuotes: boolean;
}

const DELIMITERS = [',', ';', '\t'];

/** More columns than any export has. A file that has lost its line ends has more. */
const MOST_COLUMNS = 10_000;

/**
 * Parses CSV with a header, any line ends, and commas, semicolons or tabs between its cells.
 * @param isWhole whether the file is complete though its last line has no end
 * @throws Failure if it is not CSV
 */
export function readTable(text: string, isWhole: boolean): CsvTable {
  const csv = text.replace(/^[\r\n]+/, '');
  try {
    const common = optionsFor(csv);
    const { header, delimiter } = headerIn(csv, common);
    if (header.length > MOST_COLUMNS) {
      throw new Failure(
        `The first row of the file has ${header.length} values, so it is no header. Are its line ends lost?`,
      );
    }
    const options = { ...common, delimiter };
    const { records, hasStrayQuotes } = readRecords(csv, options);
    const rows: TableRow[] = [];
    const shifted: number[] = [];
    const last = records.length - 1;
    const isOpen = !isWhole && last > 0 && !/[\r\n]$/.test(csv);
    const isCut = isOpen && (records[last]?.length ?? 0) < header.length;
    const broken = brokenRows(records, header.findLastIndex((name) => name !== '') + 1);
    const parts = new Set(broken.flat());
    for (const [index, cells] of records.entries()) {
      if (
        index === 0 ||
        cells.every(isBlank) ||
        (isCut && index === last) ||
        parts.has(index + 1)
      ) {
        continue;
      }
      if (cells.slice(header.length).every(isBlank)) rows.push({ number: index + 1, cells });
      else shifted.push(index + 1);
    }
    const openRow = isOpen ? last + 1 : undefined;
    return { header, rows, shifted, broken, openRow, isCut, hasStrayQuotes };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Failure(`The file is not valid CSV: ${error.message}.`, { cause: error });
  }
}

/**
 * Returns the numbers of rows that a line end without quotation marks has divided: each has fewer values than the header has
 * columns, and together they have one more for each line end. Programs leave out empty cells at the end of a row: so there are none
 * where no row is whole, and rows of one length are none if there are more of that length beside them.
 */
function brokenRows(records: readonly (readonly string[])[], columns: number): number[][] {
  if (!records.some(({ length }, index) => index > 0 && length >= columns)) return [];
  const lengths = records.map(({ length }) => length);
  const lengthAt = (index: number): number => lengths[index] ?? columns;
  const broken: number[][] = [];
  // The rows from the start have these many values together.
  let [start, together] = [1, 1];
  for (let end = 1; end < records.length; end++) {
    together += lengthAt(end) - 1;
    for (; together > columns && start < end; start++) together -= lengthAt(start) - 1;
    const isShort = lengthAt(end) < columns;
    if (isShort && (together < columns || isUniform(lengthAt, start, end))) continue;
    if (isShort) broken.push(Array.from({ length: end - start + 1 }, (_, at) => start + at + 1));
    [start, together] = [end + 1, 1];
  }
  return broken;
}

/** Whether rows have one length, and one beside them has it too. */
function isUniform(lengthAt: (index: number) => number, start: number, end: number): boolean {
  const length = lengthAt(start);
  for (let at = start; at <= end; at++) if (lengthAt(at) !== length) return false;
  return lengthAt(start - 1) === length || lengthAt(end + 1) === length;
}

/** A parser that finds the line ends by itself takes the first one for all of them. */
function optionsFor(csv: string): Options {
  // A file whose rows end with CR may have LF in its texts.
  const unquoted = csv.replace(/"[^"]*"/g, '');
  const isOnlyCr = unquoted.includes('\r') && !unquoted.includes('\n');
  return {
    record_delimiter: isOnlyCr ? '\r' : ['\r\n', '\n'],
    relax_column_count: true,
  };
}

/** The header, by the delimiter that divides it into the most cells. */
function headerIn(
  csv: string,
  common: Options,
): { readonly header: string[]; readonly delimiter: string } {
  const [longest = { header: [], delimiter: ',' }] = DELIMITERS.map((delimiter) => {
    const header = firstRow(csv, { ...common, delimiter, relax_quotes: true, to: 1 });
    // A no-break space is white space too.
    return { header: header.map((name) => name.replace(/\s+/g, ' ').trim()), delimiter };
  }).sort((a, b) => b.header.length - a.header.length);
  return longest;
}

/** The first row; none if it cannot be divided like this, because a delimiter is in its quotation marks. */
function firstRow(csv: string, options: Options): string[] {
  try {
    return parse(csv, options)[0] ?? [];
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

function readRecords(
  csv: string,
  options: Options,
): { readonly records: string[][]; readonly hasStrayQuotes: boolean } {
  try {
    return { records: parse(csv, options), hasStrayQuotes: false };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quotation mark that is never closed is an error here too.
    return { records: parse(csv, { ...options, relax_quotes: true }), hasStrayQuotes: true };
  }
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}
