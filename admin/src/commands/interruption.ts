import { Failure } from '../../../common/failure.ts';
import type { Interruption } from '../../../common/terminal/interruption.ts';
import { exitCodeOfSignal, onInterruption } from '../../../common/terminal/interruption.ts';
import { note } from '../../../common/terminal/note.ts';
import { stopWranglers } from '../../../common/wrangler/wrangler.ts';

// What an interruption of a command says that it leaves open: a key that was made, but not shown, or an old one that expires.
// A process runs one command at a time.

const UNSURE =
  'See with the list commands whether the change was made: a new key that you have not seen should be revoked, and an old one may expire.';

let explain = (): string => UNSURE;
let forget: (() => void) | undefined;

/** Says from now on, when the command is interrupted, what that leaves open. */
export function beginInterruptionNotice(): void {
  forget ??= onInterruption((signal) => {
    note(`Stopped. ${explain()}`);
    void stopWranglers().then(() => process.exit(exitCodeOfSignal(signal)));
  });
}

/**
 * Lets an interruption say something else from now on.
 * @param explanation returns it, and ends what the command shows
 */
export function explainInterruption(explanation: () => string): void {
  explain = explanation;
  beginInterruptionNotice();
}

/** Ends that, when the command is done. */
export function endInterruptionNotice(): void {
  forget?.();
  forget = undefined;
  explain = () => UNSURE;
}

/** A signal has stopped the command. */
export class Interrupted extends Failure {
  override readonly exitCode: number;

  constructor(signal: Interruption, consequence: string) {
    super(`Stopped. ${consequence}`);
    this.exitCode = exitCodeOfSignal(signal);
  }
}
