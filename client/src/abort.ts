/** A signal and a time limit for a call. Both may be given to the client as well; the call's own limit wins. */
export interface CallOptions {
  /** Ends the call, with the signal's reason as the error. A request under way may have taken effect. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for one response, in milliseconds; 30,000 by default. A request that took longer is retried. */
  readonly timeout?: number | undefined;
}

/** The longest time that `setTimeout` takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Does some work until it is done, a signal aborts, or its time is over. The work is not waited for after that, whether or
 * not it heeds the signal that it is given.
 * @param timeout in milliseconds
 * @throws the reason of the signal, or a `TimeoutError`
 */
export async function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  timeout: number,
  signals: readonly AbortSignal[],
): Promise<T> {
  for (const signal of signals) signal.throwIfAborted();
  const ended = new AbortController();
  const timer = setTimeout(
    () => {
      ended.abort(new DOMException('The time is over.', 'TimeoutError'));
    },
    Math.min(timeout, LONGEST),
  );
  const listeners = signals.map((signal) => {
    const listener = (): void => {
      ended.abort(signal.reason);
    };
    signal.addEventListener('abort', listener);
    return { signal, listener };
  });
  try {
    const end = new Promise<never>((_, reject) => {
      ended.signal.addEventListener('abort', () => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the caller made it
        reject(ended.signal.reason);
      });
    });
    return await Promise.race([work(ended.signal), end]);
  } finally {
    clearTimeout(timer);
    for (const { signal, listener } of listeners) signal.removeEventListener('abort', listener);
  }
}

/**
 * Waits.
 * @throws the reason of a signal that aborts
 */
export async function wait(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  const pause = (ended: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      ended.addEventListener('abort', () => {
        clearTimeout(timer);
      });
    });
  await within(pause, LONGEST, signals);
}
