import type { BrandSession } from '../db/brand-session.ts';
import type { Values } from '../db/columns.ts';
import type { CollectionStore } from './store.ts';

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
): Promise<string | ReadableStream<Uint8Array>> {
  const head = `{${JSON.stringify(key)}:[`;
  const tail = ']}';
  let chunk = await store.page(session, '', CHUNK);
  if (chunk.length < CHUNK) return head + items(chunk) + tail;

  const encoder = new TextEncoder();
  let text = head + items(chunk);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode(text));
      const last = chunk.at(-1)?.['id'];
      chunk = chunk.length < CHUNK ? [] : await store.page(session, String(last), CHUNK);
      if (chunk.length > 0) {
        text = `,${items(chunk)}`;
        return;
      }
      controller.enqueue(encoder.encode(tail));
      controller.close();
    },
  });
}

function items(values: readonly Values[]): string {
  return values.map((value) => JSON.stringify(value)).join();
}
