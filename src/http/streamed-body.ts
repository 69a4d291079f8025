import type { Ending } from './api-env.ts';

/** How long a client may read no data before its response is aborted, in milliseconds. */
export const STALL_LIMIT = 120_000;

/**
 * Sends pieces of text one by one. The stream asks for the next piece when the client takes one, so that memory stays
 * bounded. If producing fails, the body is aborted.
 * @param signal aborts when the client disconnects
 * @returns the body, and how it ended: that resolves when no more data is produced, and rejects if producing failed
 */
export function streamedBody(
  pieces: AsyncIterator<string, void>,
  signal: AbortSignal,
): { readonly body: ReadableStream<Uint8Array>; readonly finished: Promise<Ending> } {
  const { promise: finished, resolve, reject } = Promise.withResolvers<Ending>();
  const encoder = new TextEncoder();
  let producing: Promise<unknown> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = (ending: Ending): void => {
    if (timer !== undefined) clearTimeout(timer);
    // Work under way still counts for the cost of the request.
    producing.then(() => {
      resolve(ending);
    }, reject);
  };
  const abort = (): void => {
    end('aborted');
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (timer !== undefined) clearTimeout(timer);
      const next = pieces.next();
      producing = next;
      const { done, value } = await next.catch((error: unknown) => {
        reject(error);
        throw error;
      });
      if (done !== true) {
        controller.enqueue(encoder.encode(value));
        if (signal.aborted) return;
        timer = setTimeout(() => {
          controller.error(new Error('The client stopped reading.'));
          end('stalled');
        }, STALL_LIMIT);
      } else {
        controller.close();
        end('complete');
      }
    },
    cancel: abort,
  });
  // Since June 2026 workerd often does not call cancel() when the client disconnects (workerd issue 6832).
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return { body, finished };
}
