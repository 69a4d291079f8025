import type { BrandSession } from '../db/brand-session.ts';
import type { Collection } from './collection.ts';
import { encodeCursor } from './cursor.ts';
import type { ReadLarge } from './large-resources.ts';
import type { ListPosition } from './list-query.ts';
import { inParts, listResponse } from './list-response.ts';
import type { ListOperation } from './operation-types.ts';
import type { ReadPage } from './page.ts';

/** GET of a list with `limit`: one page, and a `Link` to the next page if there is one. */
export function listPage(
  collection: Collection,
  readPage: ReadPage,
  largeOf: (session: BrandSession) => ReadLarge,
): ListOperation<ListPosition & { readonly limit: number }> {
  return async (c, { limit, ...position }) => {
    // One row more than requested shows whether there is another page.
    const found = await readPage(c.var.session, position, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return listResponse(c, {
      before: `{"${collection.keys.many}":[`,
      parts: inParts(page, largeOf(c.var.session)),
      after: ']}',
      ...(found.length > limit && last && { next: { cursor: encodeCursor(collection, last.id) } }),
    });
  };
}
