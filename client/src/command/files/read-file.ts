import type { CsvTable } from '../../stores/csv/csv-table.ts';
import { readTable } from '../../stores/csv/csv-table.ts';
import { Texts } from '../../stores/csv/texts.ts';
import { unclearOf } from '../../stores/csv/unclear.ts';
import { ANOTHER_PLATFORM, refuseOtherForms } from '../../stores/other-forms.ts';
import type { ContentOfStore } from '../../stores/store.ts';
import { firstUnderstood, storesWithFiles } from '../../stores/stores.ts';
import { decode } from './decode.ts';
import { hasFieldNames, readFields } from './field-csv.ts';
import { COLLECTION_NAMES, COLLECTIONS, FILE_FIELDS } from '../../stores/fields.ts';
import { looksLikeJson, readJson } from './json-file.ts';
import { Failure } from '../../stores/failure.ts';
import type { Content, ReadOptions } from '../../stores/source.ts';

/**
 * Reads a file, which is recognized by its content.
 * @throws Failure with one sentence for a person
 */
export function readFile(bytes: Uint8Array, options: ReadOptions): Content | ContentOfStore {
  const text = decode(bytes);
  if (looksLikeJson(text)) return readJson(text, options);
  const table = readTable(text, options.whole ?? false);
  if (hasFieldNames(table, options.collection)) return readFields(table, options);
  const almost = almostFields(table.header, options);
  if (almost !== undefined) throw new Failure(almost);
  refuseOtherForms(table.header, 'columns');
  return readExport(table) ?? unknownTable(table.header, options);
}

/** Reads a CSV file of a store; undefined if it is of none. */
function readExport(table: CsvTable): ContentOfStore | undefined {
  const texts = new Texts();
  const understood = firstUnderstood(
    ({ csv }) => Object.values(csv),
    (read) => read(table, texts),
  );
  if (understood === undefined) return undefined;
  const { store, content } = understood;
  const { skipped, mayBeCut, ...unclear } = unclearOf(table, texts);
  const doubts = [...unclear.doubts, ...content.doubts];
  return { store, content: { ...content, skipped, doubts, mayBeCut } };
}

/** Says what is wrong with a header that has names of fields, and others. */
function almostFields(header: readonly string[], { collection }: ReadOptions): string | undefined {
  const other = COLLECTION_NAMES.find((name) => hasFieldNames({ header }, name));
  if (other !== undefined) {
    return `The columns of the file are fields of ${other}. Is --collection ${other} meant?`;
  }
  const fields: ReadonlySet<string> = new Set(FILE_FIELDS[collection].map(({ name }) => name));
  const unknown = header.filter((name) => name !== '' && !fields.has(name));
  return unknown.length < header.length / 2
    ? `The file looks like CSV with the names of this API's fields, but there is no field ${unknown.join(', ')}.`
    : undefined;
}

const LONGEST = 300;

/** @throws Failure, always */
function unknownTable(header: readonly string[], { collection }: ReadOptions): never {
  const names = header.filter((name) => name !== '').join(', ');
  const shown = names.length > LONGEST ? `${names.slice(0, LONGEST).toWellFormed()}…` : names;
  throw new Failure(
    `The file is neither JSON, nor CSV with the names of this API's fields, nor an export of ${COLLECTIONS[collection].nouns} from ${storesWithFiles(collection)}, whose columns must be in a language that is known, such as English. Its columns are: ${shown}. ${ANOTHER_PLATFORM}`,
  );
}
