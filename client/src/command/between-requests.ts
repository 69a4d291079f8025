/** What a client needs to end between two requests. */
export interface EndingBetweenRequests {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/**
 * Returns what ends a client before its next request once a signal aborts. The request in progress is not aborted, because
 * what it does would then be unknown.
 */
export function betweenRequests(
  signal: AbortSignal,
  send: typeof fetch = fetch,
): EndingBetweenRequests {
  const end = new AbortController();
  return {
    signal: end.signal,
    fetch: (...request) => {
      if (signal.aborted) end.abort(signal.reason);
      end.signal.throwIfAborted();
      return send(...request);
    },
  };
}
