import { PayloadTooLarge } from '../errors.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import type { Collection } from './collection.ts';

/**
 * The maximum length of the JSON of a row from a list, in bytes: what a resource within the body limit can become if its
 * characters are escaped twice in a column that holds a list, and defaults are added.
 */
export const ROW_LIMIT = 2 * RESOURCE_LIMIT + 8192;

/**
 * Returns the JSON of a row from a list.
 * @param index the place of the item in the list
 * @throws PayloadTooLarge
 */
export function checkedRow({ keys }: Collection, index: number, json: string): string {
  if (new TextEncoder().encode(json).byteLength > ROW_LIMIT) {
    throw new PayloadTooLarge(ROW_LIMIT, `${keys.many}.${index}`);
  }
  return json;
}
