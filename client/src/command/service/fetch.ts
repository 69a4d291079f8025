import type { ClientOptions } from '../../index.ts';
import { COLLECTION_NAMES } from '../../stores/fields.ts';
import { afterGrace } from '../surroundings.ts';

/** The maximum size of a response, in bytes. The service's own have less than half of it. */
const LARGEST = 2 ** 25;

/**
 * Returns what ends a client once a signal aborts: at once while nothing is being written; otherwise when the writes in
 * progress have their answers, because what they do would be unknown otherwise, and at last after the grace. No request
 * begins after the signal. Responses fail once they are too large to be of the service.
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
      if (isRead && isCompleteList(input)) return send(input, init);
      if (!isRead) writes++;
      const done = (): void => {
        if (!isRead) writes--;
        // Its reader comes first.
        setTimeout(abortIfIdle);
      };
      try {
        return limited(await send(input, init), done);
      } catch (error) {
        done();
        throw error;
      }
    },
  };
}

/** Whether a request is for the list that is read object by object, each of which has a limit of its own. */
function isCompleteList(input: Parameters<typeof fetch>[0]): boolean {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  return search === '' && COLLECTION_NAMES.some((name) => pathname.endsWith(`/${name}`));
}

/**
 * Returns a response whose body is not too large. That of an error is cut off.
 * @param done called once it is read, or given up
 */
function limited(response: Response, done: () => void): Response {
  const { body, status, headers } = response;
  if (body === null) {
    done();
    return response;
  }
  let size = 0;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.byteLength;
      if (size <= LARGEST) controller.enqueue(piece);
      else if (response.ok) controller.error(new Error('The response is too large.'));
      // Of an error, only the status counts, and what its beginning says.
      else controller.terminate();
    },
  });
  void body
    .pipeTo(writable)
    .catch(() => undefined)
    .finally(done);
  return new Response(readable, { status, headers });
}
