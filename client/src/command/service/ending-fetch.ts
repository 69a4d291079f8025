import { afterGrace } from '../surroundings.ts';

/** What a client needs to end when a person or a supervisor says so. */
export interface Ending {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/**
 * Returns what ends a client once a signal aborts: at once while nothing is being written; otherwise when the writes in
 * progress have their answers, because what they do would be unknown otherwise, and at last after the grace. No request
 * begins after the signal.
 */
export function endingFetch(signal: AbortSignal, send: typeof fetch): Ending {
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
      if ((init?.method ?? 'GET') === 'GET') return send(input, init);
      writes++;
      const done = (): void => {
        writes--;
        // Its reader comes first.
        setTimeout(abortIfIdle);
      };
      try {
        return whenRead(await send(input, init), done);
      } catch (error) {
        done();
        throw error;
      }
    },
  };
}

/** Returns a response that calls a function once its body is read, or given up. */
function whenRead(response: Response, done: () => void): Response {
  const { body, status, headers } = response;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const read = body === null ? Promise.resolve() : body.pipeTo(writable);
  void read.catch(() => undefined).finally(done);
  return body === null ? response : new Response(readable, { status, headers });
}
