import type { Ending } from './api-env.ts';

/** How long a client may read no data before its response is aborted, in milliseconds. */
export const STALL_LIMIT = 120_000;

/**
 * Sends pieces of text one by one. Each piece is produced while the client reads the previous one, so that memory stays
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
  let producing = pieces.next();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = (ending: Ending): void => {
    clearTimeout(timer);
    // Work under way still counts for the cost of the request.
    producing.then(() => {
      resolve(ending);
    }, reject);
  };
  const abort = (): void => {
    end('aborted');
  };
  const startTimer = (controller: ReadableStreamDefaultController): void => {
    timer = setTimeout(() => {
      controller.error(new Error('The client stopped reading.'));
      end('stalled');
    }, STALL_LIMIT);
  };

  const body = new ReadableStream<Uint8Array>(
    {
      start: startTimer,
      async pull(controller) {
        clearTimeout(timer);
        try {
          const piece = await producing;
          if (piece.done !== true) controller.enqueue(encoder.encode(piece.value));
          producing = pieces.next();
          if ((await producing).done !== true) {
            if (!signal.aborted) startTimer(controller);
            return;
          }
        } catch (error) {
          reject(error);
          throw error;
        }
        controller.close();
        end('complete');
      },
      cancel: abort,
    },
    // Nothing is produced before the client reads.
    { highWaterMark: 0 },
  );
  // Since June 2026 workerd often does not call cancel() when the client disconnects (workerd issue 6832).
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return { body, finished };
}
