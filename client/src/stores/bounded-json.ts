import { JsonBrackets } from '../json-brackets.ts';
import { jsonIn } from '../transport.ts';
import { Failure } from './failure.ts';

/** How many values a text may have. A page of a hundred products has a tenth of it. */
const MOST = 200_000;

/** How deep they may be. */
const DEEPEST = 100;

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
  const brackets = new JsonBrackets();
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (brackets.take(char) && (char === ',' || char === '[' || char === '{')) count++;
    if (count > MOST || brackets.depth > DEEPEST) throw new TooManyValues();
  }
  return jsonIn(text);
}
