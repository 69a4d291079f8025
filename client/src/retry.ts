import { wait } from './abort.ts';

/** How long to wait before another try. An error can say it of itself. */
export interface Again {
  /** How long the other side asks to wait, in milliseconds. */
  readonly retryAfter?: number;
  /** Whether it asks for patience. Then the try does not count. */
  readonly isBusy?: boolean;
}

/** All times are in milliseconds. */
export interface RetryOptions {
  readonly tries: number;
  readonly signals: readonly AbortSignal[];
  /**
   * The pause before the second try, which doubles with each further one, and the longest. By default so that many tries
   * outlast the move of a brand.
   */
  readonly pauses?: readonly [first: number, longest: number] | undefined;
  /**
   * How long the other side may ask to wait, and may be busy in all. The service asks for 10 seconds or less, or until midnight
   * UTC, when the free plan of its operator has used up a day.
   */
  readonly patience?: number | undefined;
  readonly onPause?: ((pause: number) => void) | undefined;
}

/**
 * Tries until it succeeds, or there is no use in it.
 * @param mayHelp whether another try may help after an error
 * @throws the error of the last try; the reason of a signal
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  mayHelp: (error: unknown) => Again | false | undefined,
  { tries, signals, pauses = [250, 5000], patience = 60_000, onPause }: RetryOptions,
): Promise<T> {
  let [used, left] = [0, patience];
  const [first, longest] = pauses;
  for (let backOff = first; ; backOff = Math.min(2 * backOff, longest)) {
    try {
      return await attempt();
    } catch (error) {
      const again = mayHelp(error);
      if (!again) throw error;
      const { retryAfter: after = 0, isBusy } = again;
      if (!isBusy) used++;
      if (used >= tries || left <= 0 || after > left) throw error;
      // Others wait as well, and come back at another time.
      const pause = Math.min(Math.max(after, backOff * (0.5 + Math.random() / 2)), left);
      if (isBusy) left -= pause;
      onPause?.(pause);
      await wait(pause, signals);
    }
  }
}

/**
 * Returns `Retry-After` in milliseconds. The service sends seconds, a store may write them as `2.0`, and a proxy may send a
 * date (RFC 9110, 10.2.3).
 */
export function retryAfter(headers: Headers | undefined): number {
  const value = headers?.get('Retry-After') ?? '0';
  const wait = Number(value) * 1000;
  return (Number.isNaN(wait) ? Date.parse(value) - Date.now() : wait) || 0;
}
