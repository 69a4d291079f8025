import { jsonIn } from '../../transport.ts';
import { Cleaner, removedNote } from '../../stores/clean.ts';
import type { CsvTable, TableRow } from '../../stores/csv/csv-table.ts';
import { isShortened, shortenedIn } from '../../stores/csv/shortened.ts';
import { Texts, withApostrophe } from '../../stores/csv/texts.ts';
import { unclearOf } from '../../stores/csv/unclear.ts';
import { keyDoubts } from '../../stores/doubts.ts';
import type { CollectionName, FileField } from '../../stores/fields.ts';
import { FILE_FIELDS, MATCHES } from '../../stores/fields.ts';
import type { LeftOutField } from '../../stores/store-product.ts';
import { textOf } from '../../stores/json.ts';
import { Failure } from '../../stores/failure.ts';
import type { Content, Item, ReadOptions, SkippedPart } from '../../stores/source.ts';

/** Whether every column has the name of a field. */
export function hasFieldNames(
  { header }: Pick<CsvTable, 'header'>,
  collection: CollectionName,
): boolean {
  const names = new Set(FILE_FIELDS[collection].map(({ name }) => name));
  return (
    header.some((name) => names.has(name)) && header.every((name) => name === '' || names.has(name))
  );
}

/**
 * Reads CSV with the names of this API's fields in its header. A cell that cannot be read is taken as text, which the service
 * refuses.
 * @throws Failure if two columns have one name, or none is the field to match by
 */
export function readFields(table: CsvTable, { collection, match }: ReadOptions): Content {
  const { header, rows } = table;
  const fields = FILE_FIELDS[collection].filter(({ name }) => header.includes(name));
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
  const texts = new Texts();
  const cleaner = new Cleaner();
  const items: Item[] = [];
  const places: string[] = [];
  const skipped: SkippedPart[] = [];
  let keyless = 0;
  for (const row of rows) {
    const item = itemOf(row, header, read, (cell, { kind }) =>
      kind === 'text' ? cleaner.text(texts.text(cell)) : cleaner.line(texts.line(cell)),
    );
    const { whole, leftOut } = withoutShortened(item, collection);
    const key = match === undefined ? undefined : (whole[match] ?? '');
    if (key === '') {
      keyless++;
      const shortened = leftOut.find(({ field }) => field === match);
      const reason =
        shortened === undefined
          ? `Row ${row.number} has no ${match ?? ''}.`
          : `Row ${row.number}, ${reasonIn(shortened)}`;
      skipped.push({ key: null, reason, kind: 'problem' });
      continue;
    }
    items.push(whole);
    places.push(`row ${row.number}`);
    for (const one of leftOut) {
      const { field } = one;
      skipped.push({ key: textOf(key) ?? null, field, reason: reasonIn(one), kind: 'problem' });
    }
  }
  const unclear = unclearOf(table, texts);
  return {
    format: 'csv',
    isOfStore: false,
    items,
    places,
    skipped: [...unclear.skipped, ...skipped],
    doubts: [...unclear.doubts, ...keyDoubts(keyless, collection, match ?? '')],
    mayBeCut: unclear.mayBeCut,
    notes: removedNote(cleaner.removed),
    match,
    source: undefined,
  };
}

/** Leaves out identifiers that a spreadsheet has shortened: they would be those of something else. */
function withoutShortened(
  item: Item,
  collection: CollectionName,
): { readonly whole: Item; readonly leftOut: readonly LeftOutField[] } {
  const leftOut = MATCHES[collection].flatMap((field) => {
    const cell = textOf(item[field]);
    return cell !== undefined && isShortened(cell) ? [shortenedIn(field, cell)] : [];
  });
  const fields = new Set(leftOut.map(({ field }) => field));
  const whole = Object.fromEntries(Object.entries(item).filter(([field]) => !fields.has(field)));
  return { whole, leftOut };
}

function reasonIn({ field, reason }: LeftOutField): string {
  return `${field}: ${reason}`;
}

function itemOf(
  { cells }: TableRow,
  header: readonly string[],
  fields: readonly FileField[],
  textOf: (cell: string, field: FileField) => string,
): Item {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const cell = cells[header.indexOf(field.name)];
      // A row that ends before it says nothing of the field.
      return cell === undefined ? [] : [[field.name, cellValue(textOf(cell, field), field)]];
    }),
  );
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function cellValue(text: string, { kind, isNullable }: FileField): unknown {
  if (text === '' && isNullable) return null;
  switch (kind) {
    case 'integer':
      // `29.00` may be an amount in dollars: it is no number of cents.
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      // Spreadsheets write TRUE.
      return BOOLEANS.get(text.toLowerCase()) ?? text;
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
  return `\uFEFF${FILE_FIELDS[collection].map(({ name }) => name).join(',')}`;
}

/**
 * A resource as a row of a CSV file. Null is an empty cell, a list is JSON. An apostrophe is written before
 * a text that a spreadsheet would take for a formula.
 */
export function csvRow(
  collection: CollectionName,
  resource: Readonly<Record<string, unknown>>,
): string {
  return FILE_FIELDS[collection].map((field) => cellOf(field, resource[field.name])).join(',');
}

function cellOf({ kind }: FileField, value: unknown): string {
  if (value === null || value === undefined) return '';
  const isText = typeof value === 'string' && kind !== 'list';
  const text = isText ? withApostrophe(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
