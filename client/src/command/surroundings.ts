import type { Readable, Writable } from 'node:stream';

/** What a run of the command has around it: the process, or in a test what stands for it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opens the standard input: who does not read it leaves it to other programs. */
  readonly openStdin: () => Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Aborts when the command is asked to end. */
  readonly signal: AbortSignal;
  /** Says what to print in place of the report if a signal ends the command while it computes. */
  readonly leaveReport?: ((text: string) => void) | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}
