import { JsonBrackets } from '../json-brackets.ts';
import type { Failure } from '../../../common/failure.ts';
import { jsonIn } from '../json.ts';

/** Who has sent something: it says of itself that this is too much. */
interface Sender {
  failure(predicate: string): Failure;
}

/** How much memory is taken for what a store sends, if nobody gives more, in bytes. */
export const A_GIGABYTE = 2 ** 30;

/** Counts the memory of what a store has sent, so that a store that never ends is an error and not the end of the program. */
export class HeldMemory {
  readonly #sender: Sender;
  readonly #most: number;
  readonly #whole: HeldMemory | undefined;
  #bytes = 0;

  /** @param most in bytes @param whole what this is a part of */
  constructor(sender: Sender, most = A_GIGABYTE, whole?: HeldMemory) {
    this.#sender = sender;
    this.#most = most;
    this.#whole = whole;
  }

  /** Returns a part of it, which can be freed by itself. */
  part(): HeldMemory {
    return new HeldMemory(this.#sender, this.#most, this);
  }

  /** Counts what is held until all is read. @throws Failure if all of it is too much */
  hold({ bytes }: { readonly bytes: number }): void {
    this.#bytes += bytes;
    this.#whole?.hold({ bytes });
    if (this.#bytes <= this.#most) return;
    const gigabytes = Math.floor(this.#most / 2 ** 28) / 4;
    throw this.#sender.failure(
      `sends more than the ${gigabytes} GB of memory that this command takes for it. Give Node more, such as NODE_OPTIONS=--max-old-space-size=16384: half of it is taken.`,
    );
  }

  /** Says that what was held is no longer needed. */
  free(): void {
    this.#whole?.hold({ bytes: -this.#bytes });
    this.#bytes = 0;
  }
}

/** What JSON means, and about how much memory that takes. */
export interface MeasuredJson {
  /** Undefined if it is not JSON. */
  readonly json: unknown;
  readonly bytes: number;
}

/** What a value takes besides its text, in bytes: `{},{},` takes twenty times its text. */
const PER_VALUE = 32;

/** What one text may take, in bytes. */
const MOST_OF_ONE = 128 * 2 ** 20;

/** How deep its values may be. */
const DEEPEST = 100;

/** A character that takes two bytes. */
const WIDE = '\u0100';

/**
 * Returns what a text means as JSON.
 * @throws Failure, before it takes memory, if it has too many values, or is nested too deep
 */
export function measuredJson(text: string, sender: Sender): MeasuredJson {
  const brackets = new JsonBrackets();
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char >= WIDE) bytes++;
    if (brackets.take(char) && (char === ',' || char === '[' || char === '{')) bytes += PER_VALUE;
    if (bytes <= MOST_OF_ONE && brackets.depth <= DEEPEST) continue;
    throw sender.failure('sent an answer that is too large.');
  }
  return { json: jsonIn(text), bytes };
}
