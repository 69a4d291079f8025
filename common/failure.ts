/** The exit codes that mean the same in all programs. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** Why a program could not do its work: one sentence for whoever runs it, without a stack. */
export class Failure extends Error {
  /** With which exit code it ends the program. */
  readonly exitCode: number = EXIT.failed;
}

/** The program was called in a way that has no meaning. */
export class UsageError extends Failure {
  override readonly exitCode = EXIT.usage;
}
