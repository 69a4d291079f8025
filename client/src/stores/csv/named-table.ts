import type { CsvTable } from './csv-table.ts';
import type { Texts } from './texts.ts';
import { shortened } from '../../../../common/terminal/printable.ts';
import { Failure } from '../failure.ts';

/** A column of an export: the names that it may have, in any case. If a file has several of them, the first counts. */
export interface NamedColumn {
  readonly names: readonly string[];
  readonly isText?: boolean;
}

/** A row of an export, with trimmed texts. */
export interface NamedRow<Column extends string> {
  /** Its place in the file: the header is row 1. */
  readonly number: number;
  /** Returns a cell, which is empty if the row or the file does not have it. */
  readonly get: (column: Column) => string;
  /** Whether the file has a column, and the row does not end before it. */
  readonly has: (column: Column) => boolean;
}

export interface NamedTable<Column extends string> {
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
  texts: Texts,
): NamedTable<Column> {
  const written = header.map((name) => name.toLowerCase());
  /** Where the columns are, and how the cells there are read. */
  const places = new Map<string, number>();
  const readings = new Map<number, 'text' | 'line'>();
  for (const [column, { names = [], isText = false } = {}] of Object.entries<
    NamedColumn | undefined
  >(columns)) {
    const name = names.find((one) => written.includes(one.toLowerCase()));
    if (name === undefined) continue;
    const at = written.indexOf(name.toLowerCase());
    if (written.includes(name.toLowerCase(), at + 1)) {
      throw new Failure(`The file has two columns ${name}.`);
    }
    places.set(column, at);
    readings.set(at, isText ? 'text' : 'line');
  }
  refuseActions(header, rows, readings);
  return {
    has: (column) => places.has(column),
    rows: rows.map(({ number, cells }) => {
      const values = cells.map((cell, at) => {
        const reading = readings.get(at);
        return reading === undefined ? '' : texts[reading](cell);
      });
      return {
        number,
        get: (column) => values[places.get(column) ?? -1] ?? '',
        has: (column) => (places.get(column) ?? Infinity) < cells.length,
      };
    }),
  };
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
