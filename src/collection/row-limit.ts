import { PayloadTooLarge } from '../errors.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import type { Collection } from './collection.ts';

/**
 * The maximum length of one row's JSON, in bytes. Every resource within the body limit fits: characters escaped in the
 * body are escaped twice in a column that holds a list, and defaults are added.
 */
export const ROW_LIMIT = 2 * RESOURCE_LIMIT + 8192;

/**
 * Returns a row's JSON. Only an item of a list can be too long, because a list has more bytes than a single resource.
 * @param index the place of the item in the list
 * @throws PayloadTooLarge
 */
export function checkedRow({ keys }: Collection, index: number, json: string): string {
  if (new TextEncoder().encode(json).byteLength > ROW_LIMIT) {
    throw new PayloadTooLarge(ROW_LIMIT, `${keys.many}.${index}`);
  }
  return json;
}
