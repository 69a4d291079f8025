import type { ClientOptions } from '../../index.ts';
import { afterGrace } from '../context.ts';

/**
 * Returns what ends a client once a signal aborts: at once while nothing is being written; otherwise when the writes in
 * progress have their answers, because what they do would be unknown otherwise, and at last after the grace. No request
 * begins after the signal.
 */
export function endingFetch(
  signal: AbortSignal,
  send: typeof fetch,
): Pick<ClientOptions, 'fetch' | 'signal'> {
  const end = new AbortController();
  let writes = 0;
  const abort = (): void => {
    end.abort(signal.reason);
  };
  const abortIfIdle = (): void => {
    if (signal.aborted && writes === 0) abort();
  };
  signal.addEventListener('abort', abortIfIdle);
  afterGrace(signal).addEventListener('abort', abort);
  return {
    signal: end.signal,
    fetch: async (input, init) => {
      abortIfIdle();
      end.signal.throwIfAborted();
      // Others write still. The client does not wait for it once they are done.
      if (signal.aborted) return new Promise(() => undefined);
      const isRead = (init?.method ?? 'GET') === 'GET';
      if (isRead) return send(input, init);
      writes++;
      const done = (): void => {
        writes--;
        // Its reader comes first.
        setTimeout(abortIfIdle);
      };
      try {
        return watched(await send(input, init), done);
      } catch (error) {
        done();
        throw error;
      }
    },
  };
}

/** @param done called once the body of the response is read, or given up */
function watched(response: Response, done: () => void): Response {
  const { body, status, headers } = response;
  if (body === null) {
    done();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void body
    .pipeTo(writable)
    .catch(() => undefined)
    .finally(done);
  return new Response(readable, { status, headers });
}
