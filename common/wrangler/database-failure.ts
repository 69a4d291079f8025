import { Failure } from '../failure.ts';

/** What a failure says if the change was not made. */
export const UNCHANGED = 'Nothing was changed.';

/** What a failure says if nobody knows whether the change was made. */
export const PERHAPS_CHANGED =
  'See with the list commands whether the change was made, and try again.';

export class DatabaseFailure extends Failure {
  /** Why: a sentence that a command of several calls can continue in its own words. */
  readonly reason: string;

  /** @param consequence what the failure means for the change of this call; may be empty */
  constructor(reason: string, consequence: string) {
    super(`${reason} ${consequence}`.trimEnd());
    this.reason = reason;
  }
}
