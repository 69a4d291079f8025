import type { BrandSession } from '../db/brand-session.ts';
import type { Page } from './page.ts';
import type { Stored } from './representation.ts';
import type { CollectionStore } from './store.ts';

/** Resources read in one call where the list is wanted whole. */
const CHUNK = 500;

/**
 * The complete list as JSON text, oldest first, read chunk by chunk as the client takes it, so that memory stays bounded.
 * The first chunk is read before anything is sent, and settles the status. A failure later on breaks the body off:
 * half a list never looks like a whole one.
 * @param key the envelope's key
 */
export async function completeList(
  session: BrandSession,
  store: CollectionStore,
  key: string,
  filters: Page['filters'],
): Promise<string | ReadableStream<Uint8Array>> {
  const read = (after: string): Promise<Stored[]> =>
    store.page(session, { filters, after, limit: CHUNK });
  const [head, tail] = [`{${JSON.stringify(key)}:[`, ']}'];

  let chunk = await read('');
  if (chunk.length < CHUNK) return head + join(chunk) + tail;

  const encoder = new TextEncoder();
  let text = head + join(chunk);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode(text));
      chunk = chunk.length < CHUNK ? [] : await read(lastId(chunk));
      text = `,${join(chunk)}`;
      if (chunk.length > 0) return;
      controller.enqueue(encoder.encode(tail));
      controller.close();
    },
  });
}

/**
 * One page of a list.
 * @returns the resources, and the id after which the next page begins where there is one
 */
export async function listPage(
  session: BrandSession,
  store: CollectionStore,
  page: Page,
): Promise<{ resources: readonly Stored[]; next: string | undefined }> {
  // One more than asked for tells whether there is more.
  const found = await store.page(session, { ...page, limit: page.limit + 1 });
  const resources = found.slice(0, page.limit);
  return { resources, next: found.length > page.limit ? lastId(resources) : undefined };
}

function lastId(resources: readonly Stored[]): string {
  return resources.at(-1)?.id ?? '';
}

function join(resources: readonly Stored[]): string {
  return resources.map(({ values }) => JSON.stringify(values)).join();
}
