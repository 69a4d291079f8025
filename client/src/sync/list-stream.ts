import { BrandApiError } from '../error.ts';
import { declared } from '../resource.ts';

const QUOTE = '"';
const BACKSLASH = '\\';

/** How deep an element of the list is: in an object, in a list, in itself. */
const ELEMENT = 3;

/**
 * Yields the objects of a list as its text arrives, so that a list of any length needs the memory of one.
 * @param pieces the text of `{"<name>":[{…},{…}]}`
 * @throws BrandApiError if the text is another one, or ends early
 */
export async function* objectsOf<T extends object>(
  pieces: AsyncIterable<string>,
  name: string,
): AsyncGenerator<T, void> {
  /** What is left of the text, from the beginning of the object that is being read. */
  let text = '';
  let at = 0;
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  /** What is around the objects. */
  let frame = '';
  for await (const piece of pieces) {
    text += piece;
    for (; at < text.length; at++) {
      const char = text.charAt(at);
      if (depth < ELEMENT && !(depth === ELEMENT - 1 && char === '{')) {
        if (!/[\s,]/.test(char)) frame += char;
      }
      if (isQuoted) {
        // What follows a backslash ends no string. It may be in the next piece.
        if (char === BACKSLASH) at++;
        else if (char === QUOTE) isQuoted = false;
      } else if (char === QUOTE) {
        isQuoted = true;
      } else if (char === '{' || char === '[') {
        depth++;
        if (depth === ELEMENT) start = at;
      } else if (char === '}' || char === ']') {
        if (depth === ELEMENT) yield declared<T>(parsed(text.slice(start, at + 1), name));
        depth--;
      }
    }
    const from = depth >= ELEMENT ? start : Math.min(at, text.length);
    text = text.slice(from);
    at -= from;
    start = 0;
  }
  if (frame !== `{"${name}":[]}`) throw notComplete(name);
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notComplete(name, cause);
  }
}

function notComplete(name: string, cause?: unknown): BrandApiError {
  const message = `The response has no complete list of ${name}. Is baseUrl right?`;
  return new BrandApiError(message, { cause });
}
