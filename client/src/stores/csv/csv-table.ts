import type { Options } from 'csv-parse/sync';
import { CsvError, parse } from 'csv-parse/sync';
import { listOf } from '../../../../common/list-of.ts';
import { openEnd, unreadableDoubts } from '../doubts.ts';
import { Failure } from '../../../../common/failure.ts';
import { skippedPart } from '../findings.ts';
import type { Doubt, Findings, SkippedPart } from '../source.ts';

export interface CsvTable extends Pick<Findings, 'skipped' | 'doubts'> {
  /** The names of the columns, trimmed, and with one space for all white space in them. */
  readonly header: readonly string[];
  /** The rows that have a value, with their numbers in a spreadsheet: the header is row 1. They may lack cells at their end. */
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[];
  /**
   * The numbers of the rows between them that are delimiters alone. A spreadsheet has such rows to part others; a program writes
   * one for an object without members.
   */
  readonly emptyRows: readonly number[];
}

/** Cells, and even rows, may have been divided in the wrong places. */
export const JOINED_ROWS: Doubt = {
  sentence: 'Quotation marks or line ends are out of place, so rows may have been read as one.',
};

const DELIMITERS = [',', ';', '\t'];

/** More columns than any export has. A file that has lost its line ends has more. */
const MOST_COLUMNS = 10_000;

/**
 * Parses CSV with a header, any line ends, and commas, semicolons or tabs between its cells.
 * @param isWhole whether the file is complete though its last line has no end
 * @throws Failure if it is not CSV
 */
export function readTable(text: string, isWhole: boolean): CsvTable {
  const { csv, delimiters } = withoutDelimiterLine(text.replace(/^[\r\n]+/, ''));
  const { records, hasStrayQuotes } = recordsIn(withQuotedFormulas(csv), delimiters);
  // A no-break space is white space too.
  const header = (records[0] ?? []).map((name) => name.replace(/\s+/g, ' ').trim());
  if (header.length > MOST_COLUMNS) {
    throw new Failure(
      `The first row of the file has ${header.length} values, so it is no header. Are its line ends lost?`,
    );
  }
  const { length } = records;
  const mayBeCut = !isWhole && length > 1 && !/[\r\n]$/.test(csv);
  const isCut = mayBeCut && (records[length - 1]?.length ?? 0) < header.length;
  const broken = brokenRows(records, header.findLastIndex((name) => name !== '') + 1);
  const parts = new Set(broken.flat());
  const last = records.findLastIndex((cells) => !cells.every(isBlank));
  const rows: { number: number; cells: string[] }[] = [];
  const emptyRows: number[] = [];
  const skipped: SkippedPart[] = [];
  const skip = (reason: string): void => {
    skipped.push(skippedPart(null, { reason }));
  };
  for (const [index, cells] of records.entries()) {
    const number = index + 1;
    if (index === 0 || index > last || parts.has(number) || (isCut && number === length)) continue;
    if (cells.every(isBlank)) {
      if (cells.length > 1) emptyRows.push(number);
    } else if (cells.slice(header.length).every(isBlank)) rows.push({ number, cells });
    else {
      skip(
        `Row ${number} has more values than the header has columns. A text with a comma needs quotation marks.`,
      );
    }
  }
  for (const numbers of broken) {
    skip(
      `Rows ${listOf(numbers.map(String), 'conjunction')} have the values of one row together. A text with a line end needs quotation marks.`,
    );
  }
  const doubts = [
    ...(hasStrayQuotes ? [JOINED_ROWS] : []),
    ...unreadableDoubts(skipped.length, 'row'),
    ...(mayBeCut ? [openEnd('row', length)] : []),
  ];
  if (isCut) skip(`The file ends within row ${length}.`);
  return { header, rows, emptyRows, skipped, doubts };
}

/** Spreadsheets write which delimiter a file has into a first line, which is no row: `sep=;`. */
function withoutDelimiterLine(text: string): {
  readonly csv: string;
  readonly delimiters: readonly string[];
} {
  const [line, delimiter] = /^"?sep=([^"\r\n])"?[,;\t]*(?:\r\r\n|\r\n|\r|\n)/i.exec(text) ?? [];
  if (line === undefined || delimiter === undefined) return { csv: text, delimiters: DELIMITERS };
  return { csv: text.slice(line.length), delimiters: [delimiter] };
}

/** Puts quotation marks around `="00123"`, which some programs write without them. In a cell that has them, they are double. */
function withQuotedFormulas(csv: string): string {
  return csv.replace(
    /(^|[,;\t\r\n])="([^"\r\n,;\t]+)"/g,
    (cell, before: string, text: string, offset: number) => {
      const isWhole = /^[,;\t\r\n]?$/.test(csv.charAt(offset + cell.length));
      return isWhole ? `${before}"=""${text}"""` : cell;
    },
  );
}

function recordsIn(
  csv: string,
  delimiters: readonly string[],
): {
  readonly records: string[][];
  readonly hasStrayQuotes: boolean;
} {
  const { unquoted, end } = firstLineOf(csv);
  const counts = delimiters.map((one) => ({ one, count: unquoted.split(one).length }));
  const options = {
    // The one that divides the header into the most cells.
    delimiter: counts.sort((a, b) => b.count - a.count)[0]?.one ?? ',',
    // A parser that finds the line ends by itself takes the first one for all of them. A file whose rows end with CR may have LF
    // in its texts. CR CR LF is what a program on Windows makes of CR LF.
    record_delimiter: end === '\r' ? '\r' : ['\r\r\n', '\r\n', '\n'],
    relax_column_count: true,
  };
  const strict = parsed(csv, options);
  if (Array.isArray(strict)) return { records: strict, hasStrayQuotes: false };
  const relaxed = parsed(csv, { ...options, relax_quotes: true });
  if (Array.isArray(relaxed)) return { records: relaxed, hasStrayQuotes: true };
  // A quotation mark is never closed.
  throw new Failure(`The file is not valid CSV: ${relaxed.message}.`, { cause: relaxed });
}

/** Returns the first line without what is in quotation marks, and its line end. */
function firstLineOf(csv: string): { readonly unquoted: string; readonly end: string } {
  let unquoted = '';
  for (const [part] of csv.matchAll(/"[^"]*"|"|[^"\r\n]+|\r\r\n|\r\n|\r|\n/g)) {
    if (/^[\r\n]/.test(part)) return { unquoted, end: part };
    const isQuoted = part.length > 1 && part.startsWith('"');
    if (!isQuoted) unquoted += part;
  }
  return { unquoted, end: '' };
}

/** Returns the rows, or why there are none. */
function parsed(csv: string, options: Options): string[][] | CsvError {
  try {
    return parse(csv, options);
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}

/**
 * Returns the numbers of rows that a line end without quotation marks has divided: each has fewer values than the header has
 * columns, and together they have as many delimiters. Programs leave out empty cells at the end of a row: so there are none where
 * no row is whole, and rows of one length are none if there are more of that length beside them.
 */
function brokenRows(records: readonly (readonly string[])[], columns: number): number[][] {
  const lengths = records.map(({ length }) => length);
  if (!lengths.some((length, index) => index > 0 && length >= columns)) return [];
  const broken: number[][] = [];
  let delimiters = 0;
  /** Since the last whole row, the first row behind so many delimiters. */
  const starts = new Map<number, number>();
  /** From here, the rows have one length. */
  let alike = 0;
  for (const [index, length] of lengths.entries()) {
    if (length !== lengths[index - 1]) alike = index;
    if (index === 0 || length >= columns) {
      starts.clear();
      continue;
    }
    if (!starts.has(delimiters)) starts.set(delimiters, index);
    delimiters += length - 1;
    const start = starts.get(delimiters - columns + 1);
    if (start === undefined) continue;
    if (alike < start || (alike === start && length === lengths[index + 1])) continue;
    broken.push(Array.from({ length: index - start + 1 }, (_, at) => start + at + 1));
    starts.clear();
  }
  return broken;
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}
