import type { CsvTable } from '../../stores/csv/csv-table.ts';
import { withApostrophe } from '../../stores/csv/cell-texts.ts';
import { readNamedTable } from '../../stores/csv/named-table.ts';
import { Failure } from '../../../../common/failure.ts';
import type { CollectionName } from '../../fields.ts';
import type { JsonObject } from '../../stores/json-values.ts';
import type { Content, ReadOptions } from '../../stores/source.ts';
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
 * refuses, and a row of delimiters alone as an item without a key.
 * @throws Failure if two columns have one name, or none is the field to match by
 */
export function readFields(table: CsvTable, options: ReadOptions): Content {
  const { header, emptyRows, skipped } = table;
  const { collection, match } = options;
  const keys = matchFieldsOf(collection);
  // What only the service assigns is there to be read. An id can find a resource.
  const fields = FIELDS[collection].filter(
    ({ name, kind }) => header.includes(name) && (kind !== 'readOnly' || name === match),
  );
  const columns = fields.map(({ name, kind }) => {
    const isText = kind === 'text';
    return [name, { names: [name], field: name, isText, isKey: keys.includes(name) }] as const;
  });
  const { rows, doubts, notes } = readNamedTable<string>(table, Object.fromEntries(columns));
  if (match !== undefined && !header.includes(match)) {
    throw new Failure(`The file has no column ${match}, by which its rows are to match.`);
  }
  // Nobody can tell which resources they mean.
  const empty = emptyRows.map((number) => ({ place: `row ${number}`, value: {} }));
  const values = rows.map(({ number, get, has, spoilt }) => ({
    place: `row ${number}`,
    value: Object.fromEntries(
      fields.flatMap((field) => {
        const { name } = field;
        // A row that ends before it says nothing of the field.
        return has(name) ? [[name, cellValue(get(name), field)] as const] : [];
      }),
    ),
    leftOut: fields.flatMap(({ name }) => spoilt(name) ?? []),
  }));
  return ownContent(
    {
      format: 'csv',
      values: [...empty, ...values],
      skipped,
      doubts: [...doubts, ...table.doubts],
      notes,
    },
    options,
  );
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
