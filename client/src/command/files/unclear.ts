import type { CsvTable } from './csv-table.ts';
import type { SkippedRow } from './store-file.ts';
import type { Texts } from './texts.ts';

/** What of a table cannot be read for sure. */
export interface Unclear {
  /** The rows of which it is not known which value is in which column. */
  readonly skipped: readonly SkippedRow[];
  readonly notes: readonly string[];
  readonly hasUnclearRows: boolean;
}

/** Returns what is unclear of a table, after all its texts have been read. */
export function unclearOf({ shifted, cutRow, hasStrayQuotes }: CsvTable, texts: Texts): Unclear {
  const isMerged = hasStrayQuotes || texts.hasRowInCell;
  const skipped = shifted.map((number) => ({
    key: null,
    reason: `Row ${number} has more values than the header has columns. A text with a comma needs quotation marks.`,
  }));
  if (cutRow !== undefined) {
    const reason = `The file ends within row ${cutRow}. It may have been cut off.`;
    skipped.push({ key: null, reason });
  }
  return {
    skipped,
    notes: isMerged
      ? ['Quotation marks are out of place, so rows may have been read as one. Nothing is deleted.']
      : [],
    hasUnclearRows: isMerged || skipped.length > 0,
  };
}
