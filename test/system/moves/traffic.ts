import { setTimeout } from 'node:timers/promises';
import { BrandApiError } from '../../../client/src/index.ts';

/** What clients saw of the service, all of them together. */
export class Traffic {
  /** Writes that the service has acknowledged. */
  acknowledged = 0;
  /** Answers that say 503. */
  refused = 0;
  /** Requests without a complete answer: the server was killed. */
  cut = 0;
  /** What no client may see. */
  readonly wrong: string[] = [];

  /** Sends requests, and counts the answers. */
  readonly fetch: typeof fetch = async (url, init) => {
    try {
      const response = await fetch(url, init);
      if (response.status === 503) this.refused++;
      return response;
    } catch (error) {
      this.cut++;
      throw error;
    }
  };

  /**
   * Makes a call until the service has answered it. A call that may have taken effect is made again: creations have an
   * `Idempotency-Key`, and everything else has the same effect twice.
   * @param isDone whether an error of a repeated call says that the first one took effect
   * @throws BrandApiError for an error that no client may see
   */
  async insist<T>(
    call: () => Promise<T>,
    isDone?: (error: BrandApiError) => T | undefined,
  ): Promise<T> {
    for (let isRepeat = false; ; isRepeat = true) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof BrandApiError)) throw error;
        const done = isRepeat ? isDone?.(error) : undefined;
        if (done !== undefined) return done;
        const mayRepeat = !error.isFromService || error.status === 503;
        if (!mayRepeat) throw error;
        await setTimeout(200);
      }
    }
  }
}
