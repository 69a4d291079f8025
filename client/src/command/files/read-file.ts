import { constants } from 'node:buffer';
import { shortened } from '../../../../common/terminal/printable.ts';
import { CsvNumbers } from '../../stores/csv/csv-numbers.ts';
import { readTable, unclearOf } from '../../stores/csv/csv-table.ts';
import { Texts } from '../../stores/csv/texts.ts';
import { ANOTHER_PLATFORM, refuseOtherForms } from '../../stores/other-forms.ts';
import { contentOfFile, storesWithFiles } from '../../stores/stores.ts';
import { hasFieldNames, readFields } from './field-csv.ts';
import { COLLECTION_NAMES, COLLECTIONS } from '../../stores/fields.ts';
import { readJson } from './json-file.ts';
import { isField } from './own-content.ts';
import { Failure } from '../../stores/failure.ts';
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
  refuseOtherForms(table.header, 'columns');
  const texts = new Texts();
  const numbers = new CsvNumbers(options.decimalComma ?? false);
  const content = contentOfFile(
    ({ csv }) => Object.values(csv),
    (read) => read(table, texts, numbers),
    () => unclearOf(table, texts),
    options,
  );
  return content ?? unknownTable(table.header, options);
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

/** @throws Failure, always */
function unknownTable(header: readonly string[], { collection }: ReadOptions): never {
  const names = header.filter((name) => name !== '').join(', ');
  throw new Failure(
    `The file is neither JSON, nor CSV with the names of this API's fields, nor an export of ${COLLECTIONS[collection].nouns} from ${storesWithFiles(collection)}, whose columns must be in a language that is known, such as English. Its columns are: ${shortened(names, 300)}. ${ANOTHER_PLATFORM}`,
  );
}

/** The first bytes of a ZIP archive, as which `.xlsx` and `.ods` are stored, and of an old `.xls`. */
const ZIP = '504b0304';
const OLD_WORKBOOK = 'd0cf11e0';

/** What a ZIP archive has if it is a workbook: the name of a file in `.xlsx`, and the type of `.ods`. */
const IN_WORKBOOKS = ['xl/workbook', 'opendocument.spreadsheet'];

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, without that mark.
 * @throws Failure if it is neither, because in another encoding its letters would be lost, or if it is larger than a text can be
 */
function decode(bytes: Uint8Array): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new Failure('The file is too large: at most 512 MB can be read.');
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = data.subarray(0, 4).toString('hex');
  const isZip = start === ZIP;
  if (start === OLD_WORKBOOK || (isZip && IN_WORKBOOKS.some((part) => data.includes(part)))) {
    throw new Failure(
      'The file is a workbook, not CSV, whatever its name says. Open it in the spreadsheet program and save it as "CSV UTF-8".',
    );
  }
  if (isZip) {
    throw new Failure('The file is a ZIP archive. Unpack it, and use the file that is in it.');
  }
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new Failure(
      `The file is not in ${encoding === 'utf-8' ? 'UTF-8, nor in UTF-16 with a byte order mark' : 'UTF-16'}. In a spreadsheet program, save it as "CSV UTF-8".`,
      { cause },
    );
  }
  // English in UTF-16 is also valid UTF-8.
  if (text[1] === '\0') {
    throw new Failure(
      'The file is in UTF-16 without a byte order mark. In a spreadsheet program, save it as "CSV UTF-8".',
    );
  }
  if (text.trim() === '') throw new Failure('The file is empty.');
  return text;
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
