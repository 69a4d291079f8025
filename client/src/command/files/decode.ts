import { constants } from 'node:buffer';
import { ANOTHER_PLATFORM } from '../../stores/store.ts';
import { Failure } from '../../../../common/failure.ts';

const AS_CSV = 'Open it in the spreadsheet program and save it as "CSV UTF-8".';

const WORKBOOK = `The file is a workbook, not CSV, whatever its name says. ${AS_CSV}`;

/** The first bytes of a ZIP archive, as which `.xlsx` and `.ods` are stored, and of an old `.xls`. */
const ZIP = '504b0304';
const OLD_WORKBOOK = 'd0cf11e0';

/** What a ZIP archive has if it is a workbook: the name of a file in `.xlsx`, and the type of `.ods`. */
const IN_WORKBOOKS = ['xl/workbook', 'opendocument.spreadsheet'];

/** The first bytes of what else is compressed. */
const COMPRESSED: readonly (readonly [string, string])[] = [
  [ZIP, 'a ZIP archive'],
  ['1f8b', 'compressed with gzip'],
  ['425a68', 'compressed with bzip2'],
  ['fd377a58', 'compressed with xz'],
  ['28b52ffd', 'compressed with zstd'],
  ['377abcaf', 'a 7-Zip archive'],
  ['52617221', 'a RAR archive'],
];

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, without that mark, and without the mark with which old
 * programs end a file.
 * @throws Failure if it is neither, because in another encoding its letters would be lost, if it is larger than a text can be, or
 * if it is something else than JSON or a table
 */
export function decode(bytes: Uint8Array): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new Failure('The file is too large: at most 512 MB can be read.');
  }
  refuseArchives(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
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
  const content = withoutEndMark(text);
  if (content.trim() === '') throw new Failure('The file is empty.');
  if (content.trimStart().startsWith('<')) throw new Failure(whatMarkupIs(content));
  return content;
}

function refuseArchives(data: Buffer): void {
  const start = data.subarray(0, 4).toString('hex');
  const isZip = start === ZIP;
  if (start === OLD_WORKBOOK || (isZip && IN_WORKBOOKS.some((part) => data.includes(part)))) {
    throw new Failure(WORKBOOK);
  }
  const [, what] = COMPRESSED.find(([magic]) => start.startsWith(magic)) ?? [];
  if (what === undefined) return;
  throw new Failure(`The file is ${what}. Unpack it, and use the file that is in it.`);
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Old systems end a text with U+001A, of which there may be several. */
function withoutEndMark(text: string): string {
  let end = text.trimEnd().length;
  if (text[end - 1] !== '\u001a') return text;
  while (text[end - 1] === '\u001a') end--;
  return text.slice(0, end);
}

/** Says what a text is that begins with `<`. */
function whatMarkupIs(text: string): string {
  if (text.includes('urn:schemas-microsoft-com:office:spreadsheet')) return WORKBOOK;
  if (/<table[\s>]/i.test(text)) {
    return `The file is a table in HTML, whatever its name says. ${AS_CSV}`;
  }
  const isPage = /<(?:!doctype html|html|body|br|b|p|div)[\s/>]/i.test(text);
  if (!isPage && /^\s*<(?:\?xml|rss|feed)[\s>]/.test(text)) {
    const what = text.includes('base.google.com/ns') ? ', a Google or Meta catalogue' : '';
    return `The file is XML${what}, which this command does not read. ${ANOTHER_PLATFORM}`;
  }
  return 'The file begins with HTML, as a page to log in or an error of a server does, so it is no export. Export it again.';
}
