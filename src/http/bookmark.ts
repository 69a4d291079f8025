import { InvalidRequest } from '../errors.ts';

/** The header in which D1's bookmark goes to the client and comes back. */
export const BOOKMARK = 'x-d1-bookmark';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/**
 * The bookmark of a request: how fresh its reads must be at least.
 * @returns undefined where there is none, which stands for: as fresh as can be
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
