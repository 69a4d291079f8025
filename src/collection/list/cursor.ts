import { checksum } from '../../hash.ts';
import type { Collection } from '../collection.ts';
import { isId } from '../identifier.ts';

// A cursor is the id of the last resource of a page, and a checksum that detects guessed cursors. Ids sort by time of
// creation, so a cursor stays valid when its row is deleted.

const FORM = /^(.{8})(.{4})(.{4})(.{4})(.{12}).{8}$/;

/** Returns the cursor of the page after this id. */
export function encodeCursor({ keys }: Collection, id: string): string {
  return id.replaceAll('-', '') + checksum(`${keys.many}:${id}`);
}

/** Returns the id before the cursor's page; undefined if the cursor was not issued for this collection. */
export function decodeCursor(collection: Collection, cursor: string): string | undefined {
  const id = FORM.exec(cursor)?.slice(1).join('-') ?? '';
  return isId(id) && encodeCursor(collection, id) === cursor ? id : undefined;
}
