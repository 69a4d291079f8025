import { Unavailable } from '../errors.ts';
import { classify } from './d1-failure.ts';

/** How often a call is made at most. */
export const TRIES = 3;

/** The maximum wait before the second try, in milliseconds. It doubles with each further try. */
const FIRST_WAIT = 50;

/**
 * Calls D1, and retries after transient failures: a call that D1 did not begin always, and one whose answer was lost only
 * if it may be repeated.
 * @param isRepeatable whether the call may take effect twice
 * @throws Unavailable if D1 stays unavailable, or nobody can tell whether a write took effect; other errors are rethrown
 * unchanged
 */
export async function withRetries<T>(isRepeatable: boolean, call: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await call();
    } catch (error) {
      const failure = classify(error);
      if (failure === 'bug') throw error;
      const mayRetry = failure === 'not begun' || (failure === 'lost' && isRepeatable);
      if (!mayRetry || tried === TRIES) throw new Unavailable({ cause: error });
      await wait(Math.random() * FIRST_WAIT * 2 ** (tried - 1));
    }
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
