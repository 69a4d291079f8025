/** How long what has begun may take to end after a signal, in milliseconds. A supervisor kills after some seconds. */
const GRACE = 1500;

/** Returns a signal that aborts after another one, once what has begun had its time. */
export function afterGrace(signal: AbortSignal): AbortSignal {
  const later = new AbortController();
  const end = (): void => {
    setTimeout(() => {
      later.abort(signal.reason);
    }, GRACE).unref();
  };
  signal.addEventListener('abort', end, { once: true });
  return later.signal;
}
