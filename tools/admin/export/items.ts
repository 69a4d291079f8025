import * as z from 'zod/mini';

/** A member of a document; of a list, one of its items. */
export interface Item {
  readonly name: string;
  readonly value: unknown;
  /** The number of an item in its list; undefined if the member is no list. */
  readonly index: number | undefined;
}

/** The maximum length of an item, in UTF-16 units: far above that of a product, whose limit is 1 MB. */
const LONGEST = 16 * 1024 * 1024;

/** What matters outside strings, and inside. */
const STRUCTURE = /["[\]{},]/g;
const END_OF_STRING = /\\[^]|"/g;

/**
 * Yields the members of a JSON object, and of its lists each item, one after the other: the object may be longer than
 * memory. A list without items is a member itself.
 * @throws Error if it is no JSON object
 */
export async function* itemsOf(texts: AsyncIterable<string>): AsyncGenerator<Item> {
  const reader = new ItemReader();
  for await (const text of texts) yield* reader.take(text);
  reader.end();
}

class ItemReader {
  /** What was read of the present member or item; up to `#place`, its strings and brackets are known. */
  #text = '';
  #place = 0;
  /** How many brackets are open: 1 in the object, 2 in a list of it. */
  #depth = 0;
  #isInString = false;
  #isOver = false;
  /** The list that is being read. */
  #list: { readonly name: string; length: number } | undefined;
  #hasMembers = false;

  *take(text: string): Generator<Item> {
    this.#text += text;
    for (;;) {
      const pattern = this.#isInString ? END_OF_STRING : STRUCTURE;
      pattern.lastIndex = this.#place;
      const [found] = pattern.exec(this.#text) ?? [];
      if (found === undefined) break;
      this.#place = pattern.lastIndex;
      if (found === '"') this.#isInString = !this.#isInString;
      else if (!this.#isInString) yield* this.#structure(found);
    }
    // A backslash at the end belongs to what comes next.
    const rest = this.#text.slice(this.#place);
    this.#place = this.#text.length - (this.#isInString && rest.endsWith('\\') ? 1 : 0);
    if (this.#text.length > LONGEST) throw new Error('it has an item that is too long');
  }

  /** @throws Error unless the object is complete */
  end(): void {
    if (!this.#isOver) throw new Error('it ends too early');
    if (this.#text.trim() !== '') throw new Error('something follows the JSON document');
  }

  *#structure(character: string): Generator<Item> {
    if (this.#isOver) throw new Error('something follows the JSON document');
    const isOpening = character === '{' || character === '[';
    if (isOpening && this.#depth === 0) {
      if (character !== '{' || this.#before().trim() !== '')
        throw new Error('it is no JSON object');
      this.#forget();
    } else if (character === '[' && this.#depth === 1) {
      const { name } = parsedMember(`${this.#before()}null`);
      this.#list = { name, length: 0 };
      this.#forget();
    } else if (this.#list !== undefined && this.#depth === 2 && /[,\]]/.test(character)) {
      yield* this.#item(this.#list, character);
    } else if (this.#depth === 1 && /[,}]/.test(character)) {
      yield* this.#member(character);
    }
    if (isOpening) this.#depth += 1;
    else if (character !== ',') this.#depth -= 1;
    this.#isOver = this.#depth === 0;
  }

  *#item(list: { readonly name: string; length: number }, character: string): Generator<Item> {
    const text = this.#before();
    if (character === ']' && list.length === 0 && text.trim() === '') {
      yield { name: list.name, value: [], index: undefined };
    } else {
      yield { name: list.name, value: JSON.parse(text), index: list.length };
      list.length += 1;
    }
    if (character === ']') this.#hasMembers = true;
    this.#forget();
  }

  *#member(character: string): Generator<Item> {
    const text = this.#before();
    const isAfterList = this.#list !== undefined && text.trim() === '';
    const isEmpty = character === '}' && !this.#hasMembers && text.trim() === '';
    if (!isAfterList && !isEmpty) yield { ...parsedMember(text), index: undefined };
    this.#hasMembers = true;
    this.#list = undefined;
    this.#forget();
  }

  /** The text before the last character that was found. */
  #before(): string {
    return this.#text.slice(0, this.#place - 1);
  }

  #forget(): void {
    this.#text = this.#text.slice(this.#place);
    this.#place = 0;
  }
}

const object = z.record(z.string(), z.unknown());

/** Parses `"name": value`. */
function parsedMember(text: string): { readonly name: string; readonly value: unknown } {
  const [entry, ...others] = Object.entries(object.parse(JSON.parse(`{${text}}`)));
  if (entry === undefined || others.length > 0) throw new Error('it is no JSON object');
  return { name: entry[0], value: entry[1] };
}
