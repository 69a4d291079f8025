import type { LeftOutField } from '../source.ts';
import { hasLineEnd } from './cell-texts.ts';

/**
 * What spreadsheets and databases write into a cell that has no value. Spreadsheets do in English, German, French, Spanish,
 * Italian, Dutch, Portuguese, Polish and Russian.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'NULL',
  '\\N',
  ...'#N/A #NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #SPILL! #CALC! #NV #WERT! #BEZUG! #ZAHL! #VALEUR! #NOM? #NOMBRE! #¡VALOR! #¡REF! #¿NOMBRE? #¡NUM! #¡DIV/0! #N/D #VALORE! #RIF! #NOME? #N/B #WAARDE! #VERW! #NAAM? #VALOR! #N/D! #ARG! #ADR! #NAZWA? #Н/Д #ЗНАЧ! #ССЫЛКА! #ИМЯ?'.split(
    ' ',
  ),
]);

/** Excel cuts longer texts when it opens a file. */
const LONGEST_CELL = 32_767;

/** Whether a spreadsheet has shortened a long number: `4.00638E+12`. Which number it was, nobody can tell. */
export function isShortened(cell: string): boolean {
  return /^\d([.,]\d+)?E\+\d+$/.test(cell);
}

/**
 * Says why a cell has not what somebody wrote into it, because a program has put something in its place.
 * @param field the field of the service that it decides
 * @param cell as it is in the file
 * @param text what is read of it
 * @param isKey whether it identifies something, so that a number is digits
 */
export function spoiltIn({
  field,
  cell,
  text,
  isKey,
}: {
  readonly field: string;
  readonly cell: string;
  readonly text: string;
  readonly isKey: boolean;
}): LeftOutField | undefined {
  if (isKey && hasLineEnd(cell)) {
    return { field, reason: 'it has a line end, so rows may have been read as one' };
  }
  if (isKey && isShortened(text)) {
    const reason = `it is "${text}", to which a spreadsheet has shortened a number. Export the file again, and import this column as text`;
    return { field, reason };
  }
  if (PLACEHOLDERS.has(text)) {
    return { field, reason: `it is "${text}", which a program writes where there is no value` };
  }
  if (cell.length !== LONGEST_CELL) return undefined;
  return { field, reason: 'it has exactly 32,767 characters, at which a spreadsheet cuts a text' };
}
