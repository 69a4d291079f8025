import { crc32 } from '../hash/crc32.ts';
import type { Collection } from './collection.ts';

// A cursor is the id of the last resource of a page, and a checksum that tells one of ours from a guess.
// It names a place in time, not a row: it stays good when that row is gone.

const FORM = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[0-9a-f]{8}$/;

/** The cursor that goes on after this id. */
export function encodeCursor(collection: Collection, id: string): string {
  const checksum = crc32(`${collection.keys.many}:${id}`).toString(16).padStart(8, '0');
  return id.replaceAll('-', '') + checksum;
}

/** The id after which a cursor goes on; undefined for a cursor that was not issued for this collection. */
export function decodeCursor(collection: Collection, cursor: string): string | undefined {
  const id = FORM.exec(cursor)?.slice(1).join('-');
  return id !== undefined && encodeCursor(collection, id) === cursor ? id : undefined;
}
