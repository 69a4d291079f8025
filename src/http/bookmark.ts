import { InvalidRequest } from '../errors.ts';

/** The header that carries D1's bookmark to the client and back. */
export const BOOKMARK = 'x-d1-bookmark';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/**
 * Returns the bookmark of a request: how fresh its reads must at least be.
 * @returns undefined if there is none; reads then go to the primary
 * @throws InvalidRequest
 */
export function readBookmark(headers: Headers): string | undefined {
  const bookmark = headers.get(BOOKMARK);
  if (bookmark === null) return undefined;
  if (!FORM.test(bookmark)) {
    throw new InvalidRequest([
      { path: BOOKMARK, message: 'expected the value of that header in an earlier answer' },
    ]);
  }
  return bookmark;
}
