import { Unavailable } from '../errors.ts';
import { classify } from './d1-failure.ts';

const TRIES = 3;

/** The longest wait before the second try, in milliseconds; it doubles with each further one. */
const FIRST_WAIT = 50;

/**
 * Makes a call to D1, and again where a passing failure may have kept it from taking place. The call must be safe to
 * repeat: an acknowledgement may have been lost after it took effect.
 * @param call is given how many times it was made before
 * @throws Unavailable where D1 is in trouble for longer; any other error as it is
 */
export async function withRetries<T>(call: (earlierTries: number) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await call(tried - 1);
    } catch (error) {
      const failure = classify(error);
      if (failure === 'bug') throw error;
      if (failure === 'unavailable' || tried === TRIES) throw new Unavailable({ cause: error });
      await wait(Math.random() * FIRST_WAIT * 2 ** (tried - 1));
    }
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
