import type { Interruption } from './terminal/interruption.ts';
import { exitCodeOfSignal } from './terminal/interruption.ts';

/** An error for the operator: one sentence, without a stack. */
export class OperatorError extends Error {
  /** With which exit code it ends a command of the operator's tool. */
  readonly exitCode: number = 1;
}

/** The command was called in a way that has no meaning. */
export class WrongUsage extends OperatorError {}

export class Interrupted extends OperatorError {
  override readonly exitCode: number;

  constructor(signal: Interruption, consequence: string) {
    super(`Stopped. ${consequence}`);
    this.exitCode = exitCodeOfSignal(signal);
  }
}

/** What a failure says if the change was not made. */
export const UNCHANGED = 'Nothing was changed.';

/** What a failure says if nobody knows whether the change was made. */
export const PERHAPS_CHANGED =
  'See with the list commands whether the change was made, and try again.';

export class DatabaseFailure extends OperatorError {
  /** Why: a sentence that a command of several calls can continue in its own words. */
  readonly reason: string;

  /** @param consequence what the failure means for the change of this call; may be empty */
  constructor(reason: string, consequence: string) {
    super(`${reason} ${consequence}`.trimEnd());
    this.reason = reason;
  }
}
