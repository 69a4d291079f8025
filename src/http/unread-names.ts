/**
 * In how many objects names may be read: more than the 501 of the largest valid body, which is 500 items in their
 * envelope.
 */
export const MOST_OBJECTS = 1000;

/** The number of items of a list that operations may read. A longer list is refused unread. */
const READ_ITEMS = 500;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const U = 0x75;
/** What may follow a backslash besides `u` (RFC 8259, 7). */
const ESCAPED = new TextEncoder().encode('"\\/bfnrt');

/** What an open bracket is: a list, an object whose names may be read, or another object. */
const LIST = 0;
const READ = 1;
const UNREAD = 2;

/** A JSON document of which only those names are left that can be read. */
interface Named {
  readonly json: Uint8Array;
  /** Whether there are more objects whose names can be read, so that some of these are lost too. */
  readonly hasTooMany: boolean;
}

/**
 * Empties the names in a JSON document that no operation reads: `{"a":1}` becomes `{"" :1}`. V8's parser makes a shape for
 * each object with new names, which takes up to ten times as long.
 *
 * Operations read the names in the body, in its members, and in the first 500 items of a list in it; of other objects
 * only that they are objects. A document of few objects stays as it is. What is no JSON stays no JSON (RFC 8259).
 * @param sent in valid UTF-8
 */
export function withoutUnreadNames(sent: Uint8Array): Named {
  if (!hasManyObjects(sent)) return { json: sent, hasTooMany: false };
  const json = sent.slice();
  /** The open brackets, the outermost first. */
  const open: number[] = [];
  let items = 0;
  let readable = 0;
  /** The quotes of the last text. */
  let [start, end] = [0, 0];
  const isRead = (): boolean =>
    open.length === 0 ||
    (open[0] === READ && (open.length === 1 || (open.length === 2 && items < READ_ITEMS)));

  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      start = at;
      at = end = endOfText(json, at);
    } else if (byte === OPEN_LIST) {
      if (open.length === 1) items = 0;
      open.push(LIST);
    } else if (byte === OPEN_OBJECT) {
      open.push(isRead() && ++readable <= MOST_OBJECTS ? READ : UNREAD);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open.pop();
    else if (byte === COMMA && open.length === 2) items++;
    else if (byte === COLON) {
      if (start < end && open.at(-1) === UNREAD) empty(json, start, end);
      // No JSON has a second colon behind it, and to empty it again would take quadratic time.
      end = start;
    }
  }
  return { json, hasTooMany: readable > MOST_OBJECTS };
}

/** Whether a document has more opening braces than objects may have their names. Texts may contain some of them. */
function hasManyObjects(json: Uint8Array): boolean {
  let at = -1;
  for (let count = 0; count <= MOST_OBJECTS; count++) {
    at = json.indexOf(OPEN_OBJECT, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Returns the place of the quote that ends a text. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Empties a text between two quotes, unless it is no valid text. */
function empty(json: Uint8Array, start: number, end: number): void {
  for (let at = start + 1; at < end; at++) {
    const byte = json[at] ?? 0;
    if (byte < SPACE) return;
    if (byte !== BACKSLASH) continue;
    at++;
    if (json[at] === U) {
      for (let digit = 1; digit <= 4; digit++) if (!isHexDigit(json[at + digit] ?? 0)) return;
    } else if (!ESCAPED.includes(json[at] ?? 0)) return;
  }
  json[start + 1] = QUOTE;
  json.fill(SPACE, start + 2, end + 1);
}

function isHexDigit(byte: number): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}
