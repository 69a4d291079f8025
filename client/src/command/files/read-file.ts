import { shortened } from '../../../../common/terminal/printable.ts';
import { CsvNumbers } from '../../stores/csv/csv-numbers.ts';
import { readTable } from '../../stores/csv/csv-table.ts';
import { refuseWrongExports } from '../../stores/wrong-exports.ts';
import { ANOTHER_PLATFORM } from '../../stores/store.ts';
import { contentOf } from '../../stores/content.ts';
import { STORES, storesWithFiles } from '../../stores/stores.ts';
import { decode } from './decode.ts';
import { hasFieldNames, readFields } from './field-csv.ts';
import { COLLECTION_NAMES, COLLECTIONS } from '../../fields.ts';
import { readJson } from './json-file.ts';
import { isField } from './own-content.ts';
import { Failure } from '../../../../common/failure.ts';
import type { Content, ReadOptions } from '../../stores/source.ts';

/**
 * Reads a file, which is recognized by its content.
 * @throws Failure with one sentence for a person
 */
export function readFile(bytes: Uint8Array, options: ReadOptions): Content {
  const text = decode(bytes);
  if (/^\s*[[{]/.test(text)) return readJson(text, options);
  const table = readTable(text, options.whole ?? false);
  if (hasFieldNames(table.header, options.collection)) return readFields(table, options);
  const almost = almostFields(table.header, options);
  if (almost !== undefined) throw new Failure(almost);
  refuseWrongExports(table.header, 'columns');
  const numbers = new CsvNumbers(options.decimalComma ?? false);
  for (const store of STORES) {
    for (const read of Object.values(store.files?.csv ?? {})) {
      const content = read(table, numbers);
      if (content !== undefined) return contentOf({ store, content, file: table }, options);
    }
  }
  throw unknownTable(table.header, options);
}

/** Says what is wrong with a header that has names of fields, and others. */
function almostFields(header: readonly string[], { collection }: ReadOptions): string | undefined {
  const other = COLLECTION_NAMES.find((name) => hasFieldNames(header, name));
  if (other !== undefined) {
    return `The columns of the file are fields of ${other}. Is --collection ${other} meant?`;
  }
  const unknown = header.filter((name) => name !== '' && !isField(name, collection));
  return unknown.length < header.length / 2
    ? `The file looks like CSV with the names of this API's fields, but there is no field ${unknown.join(', ')}.`
    : undefined;
}

function unknownTable(header: readonly string[], { collection }: ReadOptions): Failure {
  const names = header.filter((name) => name !== '').join(', ');
  return new Failure(
    `The file is neither JSON, nor CSV with the names of this API's fields, nor an export of ${COLLECTIONS[collection].nouns} from ${storesWithFiles(collection)}, whose columns must be in a language that is known, such as English. Its columns are: ${shortened(names, 300)}. ${ANOTHER_PLATFORM}`,
  );
}
