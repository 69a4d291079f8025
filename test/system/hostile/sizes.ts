/** The maximum number of items in a list. */
export const ITEMS = 500;

/** The maximum size of the body of a list, in bytes. */
export const LIST_LIMIT = 2 * 1024 * 1024;

/** The size of a text in UTF-8. */
export function bytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
