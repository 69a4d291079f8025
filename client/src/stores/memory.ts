import { JsonBrackets } from '../json-brackets.ts';
import { jsonIn } from '../transport.ts';
import type { Failure } from './failure.ts';
import type { JsonObject } from './json.ts';

/** Who has sent something: it says of itself that this is too much. */
interface Sender {
  failure(predicate: string): Failure;
}

/** About how much memory the entries of a store may take until all are read, in bytes. Items are made of them besides. */
const MOST = 400 * 2 ** 20;

/** About what is made of each entry. */
const PER_ENTRY = 700;

/** How many names their members may have: each takes memory of its own, and a store has some dozens. */
const MOST_NAMES = 10_000;

/** A text with such a character takes two bytes for each. */
const WIDE = /[\u0100-\uffff]/;

/** Counts the memory of what has been read, so that a store that never ends is an error and not the end of the program. */
export class HeldMemory {
  readonly #sender: Sender;
  readonly #names = new Set<string>();
  #bytes = 0;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Returns about how many bytes an entry takes. @throws Failure if all of them take too many */
  add(entry: JsonObject): number {
    const bytes = PER_ENTRY + this.#weightOf(entry);
    this.#bytes += bytes;
    if (this.#bytes > MOST || this.#names.size > MOST_NAMES) {
      throw this.#sender.failure('has more than can be held in memory.');
    }
    return bytes;
  }

  free(bytes: number): void {
    this.#bytes -= bytes;
  }

  #weightOf(value: unknown): number {
    if (typeof value === 'string') return 24 + value.length * (WIDE.test(value) ? 2 : 1);
    if (typeof value !== 'object' || value === null) return 8;
    let bytes = 56;
    for (const [name, one] of Object.entries(value)) {
      if (!Array.isArray(value)) this.#names.add(name);
      bytes += 8 + this.#weightOf(one);
    }
    return bytes;
  }
}

/** How many values a text may have. Each takes a hundred times the memory of its text; a page of 100 products has a tenth of them. */
const MOST_VALUES = 200_000;

/** How deep they may be. */
const DEEPEST = 100;

/**
 * Returns what a text means as JSON; undefined if it is not JSON.
 * @throws Failure if it has too many values
 */
export function boundedJson(text: string, sender: Sender): unknown {
  const brackets = new JsonBrackets();
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (brackets.take(char) && (char === ',' || char === '[' || char === '{')) count++;
    if (count <= MOST_VALUES && brackets.depth <= DEEPEST) continue;
    throw sender.failure('sent an answer that is too large.');
  }
  return jsonIn(text);
}
