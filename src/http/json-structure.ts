import { InvalidRequest } from '../errors.ts';
import { grouped } from '../fields/expected.ts';

const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/**
 * Checks the structure of a JSON text by counting its brackets and colons outside of strings, before it is parsed. The
 * largest that an operation takes has 501 objects, 501 lists and 14,000 members.
 *
 * V8's parser makes a shape for each object with new names, so a body of small objects would take ten times as long. And
 * V8 hashes a name of digits by its value, so a client could choose names that collide, which takes quadratic time. No
 * field has such a name.
 * @param json in UTF-8; it need not be valid JSON
 * @throws InvalidRequest
 */
export function checkStructure(json: Uint8Array): void {
  let [objects, lists, members, numbers] = [0, 0, 0, 0];
  /** The first byte of the last string. */
  let first = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      first = json[++at] ?? 0;
      while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
    } else if (byte === COLON) {
      members++;
      // An escape may stand for a digit.
      if ((first >= ZERO && first <= NINE) || first === BACKSLASH) numbers++;
    } else if (byte === OPEN_LIST) lists++;
    else if (byte === OPEN_OBJECT) objects++;
  }
  const bounds = [
    [objects, 1001, 'objects'],
    [lists, 1001, 'lists'],
    [members, 40_000, 'members'],
    [numbers, 1000, 'members whose names begin with a digit or an escape'],
  ] as const;
  const problems = bounds
    .filter(([count, most]) => count > most)
    .map(([, most, what]) => ({
      path: 'body',
      message: `expected at most ${grouped(most)} ${what}`,
    }));
  if (problems.length > 0) throw new InvalidRequest(problems);
}
