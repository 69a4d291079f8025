import { Cleaner } from '../../stores/cleaner.ts';
import type { CsvTable } from '../../stores/csv/csv-table.ts';
import { STRAY_QUOTES } from '../../stores/csv/csv-table.ts';
import { spoiltIn } from '../../stores/csv/spoilt-cells.ts';
import { cellLine, cellText, hasRowInCell, withApostrophe } from '../../stores/csv/cell-texts.ts';
import { Failure } from '../../../../common/failure.ts';
import type { CollectionName } from '../../fields.ts';
import type { JsonObject } from '../../stores/json-values.ts';
import type { Content, LeftOutField, ReadOptions } from '../../stores/source.ts';
import type { Field } from '../../fields.ts';
import { FIELDS, matchFieldsOf } from '../../fields.ts';
import { isField, ownContent } from './own-content.ts';
import { jsonIn } from '../../json.ts';

/** Whether every column has the name of a field. */
export function hasFieldNames(header: readonly string[], collection: CollectionName): boolean {
  const named = header.filter((name) => name !== '');
  return named.length > 0 && named.every((name) => isField(name, collection));
}

/**
 * Reads CSV with the names of this API's fields in its header. A cell that cannot be read is taken as text, which the service
 * refuses.
 * @throws Failure if two columns have one name, or none is the field to match by
 */
export function readFields(table: CsvTable, options: ReadOptions): Content {
  const { header, rows } = table;
  const { collection, match } = options;
  const fields = FIELDS[collection].filter(({ name }) => header.includes(name));
  for (const { name } of fields) {
    if (header.indexOf(name) !== header.lastIndexOf(name)) {
      throw new Failure(`The file has two columns ${name}.`);
    }
  }
  if (match !== undefined && !header.includes(match)) {
    throw new Failure(`The file has no column ${match}, by which its rows are to match.`);
  }
  // What only the service assigns is there to be read. An id can find a resource.
  const read = fields.filter(({ name, kind }) => kind !== 'readOnly' || name === match);
  const cleaner = new Cleaner();
  const keys = matchFieldsOf(collection);
  const values = rows.map(({ number, cells }) => {
    const leftOut: LeftOutField[] = [];
    const members = read.flatMap((field): [string, unknown][] => {
      const { name, kind } = field;
      const cell = cells[header.indexOf(name)];
      // A row that ends before it says nothing of the field.
      if (cell === undefined) return [];
      const text = kind === 'text' ? cleaner.text(cellText(cell)) : cleaner.line(cellLine(cell));
      const spoilt = spoiltIn(name, kind === 'text' ? cell : text, keys.includes(name));
      if (spoilt === undefined) return [[name, cellValue(text, field)]];
      leftOut.push(spoilt);
      return [];
    });
    return { place: `row ${number}`, value: Object.fromEntries(members), leftOut };
  });
  const lines = read.filter(({ kind }) => kind !== 'text').map(({ name }) => header.indexOf(name));
  const hasJoinedRows = rows.some(({ cells }) => lines.some((at) => hasRowInCell(cells[at] ?? '')));
  const doubts = [...(hasJoinedRows ? [STRAY_QUOTES] : []), ...table.doubts];
  const { skipped } = table;
  return ownContent({ format: 'csv', values, skipped, doubts, notes: cleaner.notes() }, options);
}

function cellValue(text: string, { kind, isNullable = false }: Field): unknown {
  if (text === '' && isNullable) return null;
  switch (kind) {
    case 'integer':
      // `29.00` may be an amount in dollars: it is no number of cents.
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      // Spreadsheets write TRUE.
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
    case 'list': {
      const list = text === '' ? [] : jsonIn(text);
      return list === undefined ? text : list;
    }
    default:
      return text;
  }
}

/** The header of a CSV file, with the byte order mark that spreadsheets need to read UTF-8. */
export function csvHeader(collection: CollectionName): string {
  return `\uFEFF${FIELDS[collection].map(({ name }) => name).join(',')}`;
}

/**
 * A resource as a row of a CSV file. Null is an empty cell, a list is JSON. An apostrophe is written before
 * a text that a spreadsheet would take for a formula.
 */
export function csvRow(collection: CollectionName, resource: JsonObject): string {
  return FIELDS[collection].map((field) => cellOf(field, resource[field.name])).join(',');
}

function cellOf({ kind }: Field, value: unknown): string {
  if (value === null || value === undefined) return '';
  const isText = typeof value === 'string' && kind !== 'list';
  const text = isText ? withApostrophe(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
