import type { Readable, Writable } from 'node:stream';
import type { Secrets } from '../stores/secrets.ts';
import type { Store } from '../stores/store.ts';

/** What a run of the command has: the process, or in a test what stands for it. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The stores that `--from` can name. */
  readonly stores: readonly Store[];
  /** Opens the standard input: who does not read it leaves it to other programs. */
  readonly openStdin: () => Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Aborts when the command is asked to end. */
  readonly signal: AbortSignal;
  /**
   * Says which document to print in place of the report if the command cannot end by itself: after a signal while it computes, or
   * without enough memory. Whoever prints it adds the error.
   */
  readonly leaveReport?: ((text: string) => void) | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** What it must not show. A store adds what it gives. */
  readonly secrets: Secrets;
}

/** Makes the action of a command of its work, which returns the exit code. */
export type Run = <Words extends readonly unknown[]>(
  work: (context: CommandContext, ...words: Words) => Promise<number>,
) => (...words: Words) => Promise<void>;

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
