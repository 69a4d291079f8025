import type { BrandSession } from '../db/brand-session.ts';
import type { Page } from './page.ts';
import type { Stored } from './representation.ts';
import type { CollectionStore } from './store.ts';

/** Resources read in one call where the list is wanted whole. */
const CHUNK = 500;

/** The text that a chunk should come to at most, in UTF-16 units, judged by the chunk before it. */
const CHUNK_LENGTH = 2_000_000;

/** Some of a list as JSON text. */
interface Chunk {
  readonly text: string;
  /** The id after which the next chunk begins; undefined where this is the last. */
  readonly next: string | undefined;
}

/** A list as JSON text: at once where it is short, otherwise as it is read. */
export interface CompleteList {
  readonly body: string | ReadableStream<Uint8Array>;
  /** Settles when no more will be read; rejects where reading failed. */
  readonly finished: Promise<void>;
}

/**
 * The complete list, oldest first, read chunk by chunk as the client takes it, so that memory stays bounded.
 * The first chunk is read before anything is sent, and settles the status. A failure later on breaks the body off:
 * half a list never looks like a whole one.
 * @param key the envelope's key
 */
export async function completeList(
  session: BrandSession,
  store: CollectionStore,
  key: string,
  filters: Page['filters'],
): Promise<CompleteList> {
  let limit = CHUNK;
  const read = async (after: string): Promise<Chunk> => {
    const found = await store.page(session, { filters, after, limit });
    const text = found.map(({ values }) => JSON.stringify(values)).join();
    const next = found.length < limit ? undefined : lastId(found);
    limit = Math.min(CHUNK, Math.ceil((CHUNK_LENGTH * found.length) / text.length));
    return { text, next };
  };

  const head = `{${JSON.stringify(key)}:[`;
  let chunk = await read('');
  if (chunk.next === undefined) {
    return { body: `${head}${chunk.text}]}`, finished: Promise.resolve() };
  }

  const { promise: finished, resolve, reject } = Promise.withResolvers<undefined>();
  const encoder = new TextEncoder();
  let separator = head;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // An empty chunk follows where the one before it was full and the list ended there.
        if (chunk.text !== '') controller.enqueue(encoder.encode(separator + chunk.text));
        separator = ',';
        if (chunk.next === undefined) {
          controller.enqueue(encoder.encode(']}'));
          controller.close();
          resolve(undefined);
          return;
        }
        try {
          chunk = await read(chunk.next);
        } catch (error) {
          reject(error);
          throw error;
        }
      },
      cancel() {
        resolve(undefined);
      },
    },
    // Nothing is read before somebody takes it.
    { highWaterMark: 0 },
  );
  return { body, finished };
}

/**
 * One page of a list.
 * @returns the resources, and the id after which the next page begins where there is one
 */
export async function listPage(
  session: BrandSession,
  store: CollectionStore,
  page: Page,
): Promise<{ readonly resources: readonly Stored[]; readonly next: string | undefined }> {
  // One more than asked for tells whether there is more.
  const found = await store.page(session, { ...page, limit: page.limit + 1 });
  const resources = found.slice(0, page.limit);
  return { resources, next: found.length > page.limit ? lastId(resources) : undefined };
}

function lastId(resources: readonly Stored[]): string {
  return resources.at(-1)?.id ?? '';
}
