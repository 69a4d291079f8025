/**
 * How many objects stay objects: more than the 501 of the largest valid body, which is 500 items in their envelope.
 */
export const MOST_OBJECTS = 1000;

/** The number of items of a list that operations may read. A longer list is refused unread. */
const READ_ITEMS = 500;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** What a bracket opened: a list, an object that stays one, or an object that becomes a list. */
const LIST = 0;
const OBJECT = 1;
/** In an object that becomes a list: at a name, and behind its colon. */
const NAME = 2;
const VALUE = 3;

/** A JSON document in which few objects are left. */
interface FlatDocument {
  readonly json: Uint8Array;
  /** Whether so many objects can be read that some of these became lists too. */
  readonly hasTooMany: boolean;
}

/**
 * Makes the objects of a JSON document that no operation reads lists of their names and values: `{"a":1}` becomes
 * `["a",1]`. V8's parser makes a shape for each object with new names, which takes up to eight times as long as a list.
 *
 * Operations read the body, its members, and the first 500 items of a list in it. A document of few objects stays as it
 * is. A document that is no JSON does not become JSON (RFC 8259).
 * @param sent in UTF-8
 * @throws SyntaxError if an object that becomes a list is none
 */
export function flattenUnreadObjects(sent: Uint8Array): FlatDocument {
  if (!hasManyObjects(sent)) return { json: sent, hasTooMany: false };
  const json = sent.slice();
  /** The open brackets, the outermost first. */
  const open: number[] = [];
  let items = 0;
  let kept = 0;
  /** The last byte that was no white space. */
  let last = 0;
  const isRead = (): boolean =>
    open.length === 0 ||
    (open[0] === OBJECT && (open.length === 1 || (open.length === 2 && items < READ_ITEMS)));

  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte <= SPACE) continue;
    const inner = open.length - 1;
    const isFlat = open[inner] === NAME || open[inner] === VALUE;
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === OPEN_LIST) {
      open.push(LIST);
      if (inner === 0) items = 0;
    } else if (byte === OPEN_OBJECT) {
      const staysObject = isRead() && ++kept <= MOST_OBJECTS;
      open.push(staysObject ? OBJECT : NAME);
      if (!staysObject) json[at] = OPEN_LIST;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (isFlat) {
        const isClosed = open[inner] === VALUE || last === OPEN_OBJECT;
        if (byte === CLOSE_LIST || !isClosed) throw new SyntaxError();
        json[at] = CLOSE_LIST;
      }
      open.pop();
    } else if (byte === COLON && open[inner] === NAME) {
      if (last !== QUOTE) throw new SyntaxError();
      open[inner] = VALUE;
      json[at] = COMMA;
    } else if (byte === COMMA) {
      if (open[inner] === NAME) throw new SyntaxError();
      if (isFlat) open[inner] = NAME;
      else if (inner === 1) items++;
    }
    last = byte;
  }
  return { json, hasTooMany: kept > MOST_OBJECTS };
}

/** Whether a document has more opening braces than objects stay objects. Texts may contain some of them. */
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
