import * as z from 'zod/mini';
import type { Problem } from '../errors.ts';
import { PayloadTooLarge } from '../errors.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import { memberOf } from '../http/member.ts';
import type { ProblemList } from '../http/validation.ts';
import type { Collection, Field } from './collection.ts';
import { MAX_ITEMS } from './envelope.ts';

/**
 * The maximum length of the JSON of a row, in bytes: what a resource within the body limit can become if its characters are
 * escaped twice in a column that holds a list, and defaults are added.
 */
export const ROW_LIMIT = 2 * RESOURCE_LIMIT + 8192;

/** Returns the items of a list in its envelope, and adds what is wrong with the envelope. A list that is too long has none. */
export function itemsOf(
  { keys, envelope }: Collection,
  body: unknown,
  problems: ProblemList,
): readonly unknown[] {
  problems.check(envelope, body);
  const sent = memberOf(body, keys.many);
  return Array.isArray(sent) && sent.length <= MAX_ITEMS ? sent : [];
}

/**
 * Returns a function that takes the items of a list one by one. It returns a problem if an earlier item has the same value
 * of the field. Unique values are equal whatever the case of A to Z, and of nothing else, as in their column.
 */
export function repeatsOf(
  { keys, unique }: Collection,
  { name, rule }: Field,
): (item: unknown, index: number) => Problem | undefined {
  const places = new Map<string, number>();
  return (item, index) => {
    const { success, data } = z.safeParse(rule, memberOf(item, name));
    if (!success) return undefined;
    const value = String(data);
    const key = name === unique?.name ? inLowerCase(value) : value;
    const before = places.get(key);
    if (before === undefined) {
      places.set(key, index);
      return undefined;
    }
    const message = `${keys.many}.${before} has the value ${JSON.stringify(value)} too`;
    return { path: name, message };
  };
}

/** Returns a text with A to Z in lower case, as SQLite's NOCASE compares texts. */
function inLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns the JSON of a row from a list.
 * @param index the place of the item in the list
 * @throws PayloadTooLarge
 */
export function checkedRow({ keys }: Collection, index: number, values: object): string {
  const json = JSON.stringify(values);
  if (new TextEncoder().encode(json).byteLength > ROW_LIMIT) {
    throw new PayloadTooLarge(ROW_LIMIT, `${keys.many}.${index}`);
  }
  return json;
}
