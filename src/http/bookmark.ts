import { InvalidRequest } from '../errors.ts';

/** The header that carries D1's bookmark to the client and back. */
export const BOOKMARK = 'x-d1-bookmark';

/** D1's form, behind the number of a database other than 0, which alone understands it. */
const FORM = /^(?:([1-9]\d{0,3})-)?([0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})$/;

/** Returns D1's bookmark as clients see it. */
export function numberedBookmark(bookmark: string, database: number): string {
  return database === 0 ? bookmark : `${database}-${bookmark}`;
}

/**
 * Returns the bookmark of a request as D1 made it; undefined if there is none of this database.
 * @throws InvalidRequest
 */
export function readBookmark(headers: Headers, database: number): string | undefined {
  const bookmark = headers.get(BOOKMARK);
  if (bookmark === null) return undefined;
  const [, number = 0, ofDatabase] = FORM.exec(bookmark) ?? [];
  if (ofDatabase === undefined) {
    const message = 'expected the value of that header in an earlier answer';
    throw new InvalidRequest([{ path: BOOKMARK, message }]);
  }
  return Number(number) === database ? ofDatabase : undefined;
}
