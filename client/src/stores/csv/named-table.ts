import { Cleaner } from '../cleaner.ts';
import type { CsvTable } from './csv-table.ts';
import { spoiltIn } from './spoilt-cells.ts';
import { JOINED_ROWS } from './csv-table.ts';
import { cellText, hasLineEnd, hasRowInCell } from './cell-texts.ts';
import type { Findings, LeftOutField } from '../source.ts';
import { shortened } from '../../../../common/terminal/printable.ts';
import { Failure } from '../../../../common/failure.ts';

/** A column of an export: the names that it may have, in any case. If a file has several of them, the first counts. */
export interface NamedColumn {
  readonly names: readonly string[];
  readonly isText?: boolean;
  /** The field of the service that it decides, if what a program has put in place of a value is left out. */
  readonly field?: string;
  /** Whether it identifies something, so that a number is digits. */
  readonly isKey?: boolean;
}

/** A row of an export, with trimmed texts. */
export interface NamedRow<Column extends string> {
  /** Its place in the file: the header is row 1. */
  readonly number: number;
  /** Returns a cell, which is empty if the row or the file does not have it, or if it is spoilt. */
  readonly get: (column: Column) => string;
  /** Whether the file has a column, the row does not end before it, and the cell is not spoilt. */
  readonly has: (column: Column) => boolean;
  /** Says that a cell has something that a program has put in place of its value. */
  readonly spoilt: (column: Column) => LeftOutField | undefined;
}

/** Its doubts say why its rows may be others than they seem to be. */
export interface NamedTable<Column extends string> extends Pick<Findings, 'doubts' | 'notes'> {
  readonly rows: readonly NamedRow<Column>[];
  readonly has: (column: Column) => boolean;
}

/** Whether a header has a column of these names, whatever its case. */
export function hasColumn(header: readonly string[], names: readonly string[]): boolean {
  return names.some((name) => header.some((one) => one.toLowerCase() === name.toLowerCase()));
}

/**
 * Finds the columns of an export, and reads its cells.
 * @throws Failure if a column is there twice: which of them counts would be a guess
 */
export function readNamedTable<Column extends string>(
  { header, rows }: CsvTable,
  columns: Readonly<Partial<Record<Column, NamedColumn>>>,
): NamedTable<Column> {
  const written = header.map((name) => name.toLowerCase());
  /** Where the columns are, and how the cells there are read. */
  const places = new Map<string, number>();
  const namedAt = new Map<number, NamedColumn>();
  for (const [column, named] of Object.entries<NamedColumn | undefined>(columns)) {
    const { names = [] } = named ?? {};
    const name = names.find((one) => written.includes(one.toLowerCase()));
    if (named === undefined || name === undefined) continue;
    const at = written.indexOf(name.toLowerCase());
    if (written.includes(name.toLowerCase(), at + 1)) {
      throw new Failure(`The file has two columns ${name}.`);
    }
    places.set(column, at);
    namedAt.set(at, named);
  }
  refuseActions(header, rows, namedAt);
  const hasJoinedRows = rows.some(({ cells }) =>
    [...namedAt].some(([at, named]) => mayBeRows(cells[at] ?? '', named)),
  );
  const placeOf = (column: Column): number => places.get(column) ?? Infinity;
  const cleaner = new Cleaner();
  const read = rows.map(({ number, cells }): NamedRow<Column> => {
    // Hardly a row has any.
    let spoilt: Map<number, LeftOutField> | undefined;
    const values = cells.map((cell, at) => {
      const named = namedAt.get(at);
      if (named === undefined) return '';
      const { isText = false, isKey = false, field } = named;
      const text = cellText(isText ? cleaner.text(cell) : cleaner.line(cell));
      const why = field === undefined ? undefined : spoiltIn({ field, cell, text, isKey });
      if (why === undefined) return text;
      (spoilt ??= new Map<number, LeftOutField>()).set(at, why);
      return '';
    });
    const found = spoilt;
    return {
      number,
      get: (column) => values[placeOf(column)] ?? '',
      has: (column) => placeOf(column) < cells.length && !found?.has(placeOf(column)),
      spoilt: (column) => found?.get(placeOf(column)),
    };
  });
  return {
    doubts: hasJoinedRows ? [JOINED_ROWS] : [],
    notes: cleaner.notes(),
    has: (column) => places.has(column),
    rows: read,
  };
}

/** Whether a cell may be of several rows. Nothing that identifies has a line end. */
function mayBeRows(cell: string, { isText = false, isKey = false }: NamedColumn): boolean {
  return isKey ? hasLineEnd(cell) : !isText && hasRowInCell(cell);
}

/** The name of a column that says what a row does, such as `Variant Command`. */
const ACTION = /^(?:variant |row |product )?(?:command|action|delete)$/i;

/** @throws Failure if a row says what it does, such as deleting its product: as an item, it would create it */
function refuseActions(
  header: readonly string[],
  rows: CsvTable['rows'],
  known: ReadonlyMap<number, unknown>,
): void {
  for (const [at, name] of header.entries()) {
    if (known.has(at) || !ACTION.test(name)) continue;
    const [value] = rows.flatMap(({ cells }) => cells[at]?.trim() || []);
    if (value === undefined) continue;
    throw new Failure(
      `The column "${name}" says what a row does, such as "${shortened(value, 60)}", and this command would take each row for a product that is there. Export the products without it.`,
    );
  }
}
