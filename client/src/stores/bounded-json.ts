import { Failure } from './failure.ts';

/** How many values a text may have. A page of a hundred products has a tenth of it. */
const MOST = 200_000;

/** How deep they may be. */
const DEEPEST = 100;

const [QUOTE, BACKSLASH, COMMA, LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = Array.from(
  '"\\,[]{}',
  (character) => character.charCodeAt(0),
);

/** Says that a text has more values than anybody needs. Each takes a hundred times the memory of its text. */
export class TooManyValues extends Failure {
  constructor() {
    super('The store sent more values at once than anybody needs.');
  }
}

/**
 * Returns what a text means as JSON; undefined if it is not JSON.
 * @throws TooManyValues
 */
export function boundedJson(text: string): unknown {
  let [count, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === COMMA) count++;
    else if (character === LIST || character === OBJECT) {
      count++;
      depth++;
    } else if (character === END_OF_LIST || character === END_OF_OBJECT) depth--;
    if (count > MOST || depth > DEEPEST) throw new TooManyValues();
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param at where it begins. Returns where it ends: what follows a backslash ends no string. */
function endOfString(text: string, at: number): number {
  for (let end = at; ;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
}
