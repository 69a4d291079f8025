import type { Context } from 'hono';
import { InvalidRequest } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { logFailure } from '../http/log.ts';

/** The header that carries D1's bookmark to the client and back. */
const BOOKMARK = 'x-d1-bookmark';

/** D1's form, behind the number of a database other than 0, which alone understands it. */
const FORM = /^(?:([1-9]\d{0,3})-)?([0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})$/;

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

/** D1 gives bookmarks that `readBookmark` would refuse. */
class UnknownBookmark extends Error {
  override readonly name = 'UnknownBookmark';
}

/** Whether the log of this isolate has it: it would be in each of its requests. */
let isReported = false;

/** Gives the client D1's bookmark, unless it could not be sent back: each read of that client would be 400. */
export function sendBookmark(c: Context<ApiEnv>, bookmark: string, database: number): void {
  const value = database === 0 ? bookmark : `${database}-${bookmark}`;
  if (FORM.test(value)) {
    c.res.headers.set(BOOKMARK, value);
  } else if (!isReported) {
    isReported = true;
    const text = `D1 gives bookmarks of another form, so reads go to the primary: ${bookmark.slice(0, 100)}`;
    logFailure(new UnknownBookmark(text), c);
  }
}
