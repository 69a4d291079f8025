import type { BrandSession } from '../db/brand-session.ts';
import type { Page, Place } from './page.ts';
import type { Listed } from './representation.ts';
import type { CollectionStore } from './store.ts';

/** Some of a list as JSON text. */
interface Part {
  readonly text: string;
  /** The id after which the next part begins; undefined where this is the last. */
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
  filters: Place['filters'],
): Promise<CompleteList> {
  const read = async (after: string): Promise<Part> => {
    const { resources, isLast } = await store.chunk(session, { filters, after });
    const text = resources.map(({ json }) => json).join();
    return { text, next: isLast ? undefined : lastId(resources) };
  };

  const head = `{${JSON.stringify(key)}:[`;
  let part = await read('');
  if (part.next === undefined) {
    return { body: `${head}${part.text}]}`, finished: Promise.resolve() };
  }

  const { promise: finished, resolve, reject } = Promise.withResolvers<undefined>();
  const encoder = new TextEncoder();
  let separator = head;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // An empty chunk follows where the one before it was full and the list ended there.
        if (part.text !== '') controller.enqueue(encoder.encode(separator + part.text));
        separator = ',';
        if (part.next === undefined) {
          controller.enqueue(encoder.encode(']}'));
          controller.close();
          resolve(undefined);
          return;
        }
        try {
          part = await read(part.next);
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
): Promise<{ readonly resources: readonly Listed[]; readonly next: string | undefined }> {
  // One more than asked for tells whether there is more.
  const found = await store.page(session, { ...page, limit: page.limit + 1 });
  const resources = found.slice(0, page.limit);
  return { resources, next: found.length > page.limit ? lastId(resources) : undefined };
}

function lastId(resources: readonly Listed[]): string {
  return resources.at(-1)?.id ?? '';
}
