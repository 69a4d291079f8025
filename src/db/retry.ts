import { Unavailable } from '../errors.ts';
import { classify } from './d1-failure.ts';

/** How often a call is made at most. */
export const TRIES = 3;

/** The maximum wait before the second try, in milliseconds. It doubles with each further try. */
const FIRST_WAIT = 50;

/**
 * Calls D1, and retries after transient failures if the call is idempotent: it may have taken effect before its
 * acknowledgement was lost.
 * @param call takes the number of earlier tries
 * @throws Unavailable if D1 stays unavailable; other errors are rethrown unchanged
 */
export async function withRetries<T>(
  isIdempotent: boolean,
  call: (earlierTries: number) => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await call(tried - 1);
    } catch (error) {
      const failure = classify(error);
      if (failure === 'bug') throw error;
      if (failure === 'unavailable' || tried === TRIES || !isIdempotent) {
        throw new Unavailable({ cause: error });
      }
      await wait(Math.random() * FIRST_WAIT * 2 ** (tried - 1));
    }
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
