import { crc32 } from '../../hash/crc32.ts';
import type { Collection } from '../collection.ts';

// A cursor is the id of the last resource of a page, and a checksum that detects guessed cursors. Ids sort by time of
// creation, so a cursor stays valid when its row is deleted.

const FORM = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[0-9a-f]{8}$/;

/** Returns the cursor of the page after this id. */
export function encodeCursor(collection: Collection, id: string): string {
  const checksum = crc32(`${collection.keys.many}:${id}`).toString(16).padStart(8, '0');
  return id.replaceAll('-', '') + checksum;
}

/** Returns the id before the cursor's page; undefined if the cursor was not issued for this collection. */
export function decodeCursor(collection: Collection, cursor: string): string | undefined {
  const id = FORM.exec(cursor)?.slice(1).join('-');
  return id !== undefined && encodeCursor(collection, id) === cursor ? id : undefined;
}
