import type { CollectionName, FileField } from '../../stores/fields.ts';
import { FILE_FIELDS } from '../../stores/fields.ts';
import { withApostrophe } from '../../stores/csv/texts.ts';

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
