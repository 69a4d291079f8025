import { constants } from 'node:os';

/** The signals that ask a program to end: Ctrl-C, a supervisor, and a terminal that closes. */
export const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that asks a program to end. */
export type Interruption = (typeof INTERRUPTIONS)[number];

export function exitCodeOfSignal(signal: Interruption): number {
  return 128 + constants.signals[signal];
}

/**
 * Calls a function when the program is asked to end. A second signal ends it immediately.
 * @returns a function that ends this
 */
export function onInterruption(listener: (signal: Interruption) => void): () => void {
  const listeners = INTERRUPTIONS.map((signal) => {
    const once = (): void => {
      forget();
      if (signal === 'SIGHUP') ignoreOutputErrors();
      listener(signal);
    };
    process.once(signal, once);
    return { signal, once };
  });
  const forget = (): void => {
    for (const { signal, once } of listeners) process.off(signal, once);
  };
  return forget;
}

/**
 * Runs work that ends early when the program is asked to end.
 * @param work its signal aborts then
 * @param onAsked called then, before
 */
export async function interruptible<T>(
  work: (signal: AbortSignal, interruption: () => Interruption | undefined) => Promise<T>,
  onAsked: () => void = () => undefined,
): Promise<T> {
  const stop = new AbortController();
  let interruption: Interruption | undefined;
  const forget = onInterruption((signal) => {
    interruption = signal;
    onAsked();
    stop.abort();
  });
  try {
    return await work(stop.signal, () => interruption);
  } finally {
    forget();
  }
}

/** After the terminal is closed, what is printed fails. That must not end a program that cleans up. */
function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
