import type { CollectionName, FileField } from '../../stores/fields.ts';
import { FILE_FIELDS } from '../../stores/fields.ts';
import { withApostrophe } from '../../stores/csv/texts.ts';

/** The header of a CSV file, with the byte order mark that spreadsheets need to read UTF-8, and with its line end. */
export function csvHeader(collection: CollectionName): string {
  return `\uFEFF${FILE_FIELDS[collection].map(({ name }) => name).join(',')}\n`;
}

/**
 * A resource as a line of a CSV file, with its line end. Null is an empty cell, a list is JSON. An apostrophe is written before
 * a text that a spreadsheet would take for a formula.
 */
export function csvLine(
  collection: CollectionName,
  resource: Readonly<Record<string, unknown>>,
): string {
  return `${FILE_FIELDS[collection].map((field) => cellOf(field, resource[field.name])).join(',')}\n`;
}

function cellOf({ kind }: FileField, value: unknown): string {
  if (value === null || value === undefined) return '';
  const isText = typeof value === 'string' && kind !== 'list';
  const text = isText ? withApostrophe(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
