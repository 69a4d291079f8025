import type { BrandSession } from '../db/brand-session.ts';
import type { Collection } from './collection.ts';
import type { ReadLarge } from './large-resources.ts';
import type { ListPosition } from './list-query.ts';
import type { Part } from './list-response.ts';
import { inParts, listResponse } from './list-response.ts';
import type { ListOperation } from './operation-types.ts';
import type { ReadPage } from './page.ts';

/** The most resources that one call to D1 reads. */
const CHUNK = 1024;

/** GET of a list without `limit`: the whole list, oldest first, streamed so that memory stays bounded. */
export function listAll(
  { keys }: Collection,
  readPage: ReadPage,
  largeOf: (session: BrandSession) => ReadLarge,
): ListOperation<ListPosition> {
  return (c, position) =>
    listResponse(c, {
      before: `{"${keys.many}":[`,
      parts: allParts(c.var.session, position, readPage, largeOf),
      after: ']}',
    });
}

async function* allParts(
  session: BrandSession,
  { filters, after: start }: ListPosition,
  readPage: ReadPage,
  largeOf: (session: BrandSession) => ReadLarge,
): AsyncGenerator<Part, void> {
  for (let after: string | undefined = start; after !== undefined;) {
    const resources = await readPage(session, { filters, after }, CHUNK);
    after = resources.length < CHUNK ? undefined : resources.at(-1)?.id;
    for await (const { text, isLast } of inParts(resources, largeOf(session))) {
      yield { text, isLast: isLast && after === undefined };
    }
  }
}
