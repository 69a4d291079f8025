import type { CsvTable } from './csv-table.ts';
import type { Texts } from './texts.ts';
import { openEndSentence, unreadableDoubts } from '../doubts.ts';
import { listOf } from '../../../../common/list-of.ts';
import type { SkippedPart } from '../source.ts';

/** What of a table cannot be read for sure. */
export interface UnclearParts {
  /** The rows of which it is not known which value is in which column. */
  readonly skipped: readonly SkippedPart[];
  readonly doubts: readonly string[];
  /** Whether the table may have been cut off. */
  readonly mayBeCut: boolean;
}

/** Returns what is unclear of a table, after all its texts have been read. */
export function unclearOf(table: CsvTable, texts: Texts): UnclearParts {
  const { shifted, broken, openRow, isCut, hasStrayQuotes } = table;
  const reasons = [
    ...shifted.map(
      (number) =>
        `Row ${number} has more values than the header has columns. A text with a comma needs quotation marks.`,
    ),
    ...broken.map(
      (numbers) =>
        `Rows ${listOf(numbers.map(String), 'conjunction')} have the values of one row together. A text with a line end needs quotation marks.`,
    ),
  ];
  if (isCut && openRow !== undefined) reasons.push(`The file ends within row ${openRow}.`);
  const doubts: string[] = [];
  if (hasStrayQuotes || texts.hasRowInCell) {
    doubts.push('Quotation marks are out of place, so rows may have been read as one.');
  }
  doubts.push(...unreadableDoubts(shifted.length + broken.length, 'row'));
  if (openRow !== undefined) doubts.push(openEndSentence('row', openRow));
  return {
    skipped: reasons.map((reason) => ({ key: null, reason, kind: 'problem' })),
    doubts,
    mayBeCut: openRow !== undefined,
  };
}
