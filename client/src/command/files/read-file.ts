import { readTable } from './csv-table.ts';
import { decode } from './decode.ts';
import { readExport } from './export-file.ts';
import { hasFieldNames, readFields } from './field-file.ts';
import { COLLECTION_NAMES, FILE_FIELDS } from './fields.ts';
import { FileError } from './file-error.ts';
import { looksLikeJson, readJson } from './json-file.ts';
import type { ReadOptions, StoreFile } from './store-file.ts';

export { FileError } from './file-error.ts';
export type { ReadOptions, StoreFile } from './store-file.ts';

/**
 * Reads the file of a store, which is recognized by its content.
 * @throws FileError with one sentence for a person
 */
export function readFile(bytes: Uint8Array, options: ReadOptions): StoreFile {
  const text = decode(bytes);
  if (looksLikeJson(text)) return readJson(text, options);
  const table = readTable(text);
  if (hasFieldNames(table, options.collection)) return readFields(table, options);
  const file = readExport(table, options);
  if (file !== undefined) return file;
  throw new FileError(unknownTable(table.header, options));
}

const LONGEST = 300;

function unknownTable(header: readonly string[], { collection }: ReadOptions): string {
  const names = header.filter((name) => name !== '').join(', ');
  const shown = names.length > LONGEST ? `${names.slice(0, LONGEST).toWellFormed()}…` : names;
  const other = COLLECTION_NAMES.find((name) => hasFieldNames({ header }, name));
  if (other !== undefined) {
    return `The columns of the file are fields of ${other}. Is --collection ${other} meant?`;
  }
  const fields: ReadonlySet<string> = new Set(FILE_FIELDS[collection].map(({ name }) => name));
  const unknown = header.filter((name) => name !== '' && !fields.has(name));
  if (unknown.length < header.length / 2) {
    return `The file looks like CSV with the names of this API's fields, but there is no field ${unknown.join(', ')}.`;
  }
  return collection === 'products'
    ? `The file is neither JSON, nor CSV with the names of this API's fields, nor an export of products from Shopify or WooCommerce, which must be exported in English. Its columns are: ${shown}.`
    : `The file is neither JSON, nor CSV with the names of this API's fields. Its columns are: ${shown}.`;
}
