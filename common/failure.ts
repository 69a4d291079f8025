/** Why a program could not do its work: one sentence for whoever runs it, without a stack. */
export class Failure extends Error {
  /** With which exit code it ends the program. */
  readonly exitCode: number = 1;
}

/** The program was called in a way that has no meaning. */
export class UsageError extends Failure {
  override readonly exitCode = 2;
}
