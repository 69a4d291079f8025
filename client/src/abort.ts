/** The limits of a call. All may be given to the client as well; the call's own win. */
export interface CallOptions {
  /** Aborts the call, with the signal's reason as the error. A request in progress may have taken effect. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for one response, in milliseconds; 30,000 by default. A request that took longer is retried. */
  readonly timeout?: number | undefined;
  /** The maximum number of tries per request; 5 by default. */
  readonly tries?: number | undefined;
}

/** The maximum delay of `setTimeout`, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Runs work until it is done, a signal aborts, or the time limit expires. After that the work is not awaited, even if
 * it ignores its signal.
 * @param timeout in milliseconds
 * @throws the reason of the signal, or a `TimeoutError`
 */
export async function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  timeout: number,
  signals: readonly AbortSignal[],
): Promise<T> {
  // Not AbortSignal.timeout: in Node 20, one that AbortSignal.any combines is collected as garbage, and never aborts.
  const limit = new AbortController();
  const timer = setTimeout(
    () => {
      limit.abort(new DOMException('The time limit expired.', 'TimeoutError'));
    },
    Math.min(timeout, LONGEST),
  );
  const ended = AbortSignal.any([...signals, limit.signal]);
  let stop = (): void => undefined;
  try {
    ended.throwIfAborted();
    const end = new Promise<never>((_, reject) => {
      stop = () => {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
        reject(ended.reason);
      };
      ended.addEventListener('abort', stop);
    });
    return await Promise.race([work(ended), end]);
  } finally {
    clearTimeout(timer);
    // A signal with a listener lives as long as those that it combines, and holds what the work has returned.
    ended.removeEventListener('abort', stop);
  }
}

/** Waits for a time. @throws the reason of a signal that aborts */
export async function wait(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  const forever = async (): Promise<never> => new Promise(() => undefined);
  await within(forever, milliseconds, signals).catch(() => {
    for (const signal of signals) signal.throwIfAborted();
  });
}
