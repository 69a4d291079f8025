import { wait } from '../abort.ts';

/** A try that another one may follow. */
export interface Again<T> {
  /** `busy`: the other side asks for patience, which it gets for minutes. `lost`: an answer is missing or wrong, which few tries mend. */
  readonly again: 'busy' | 'lost';
  /** How long to wait at least, in milliseconds. */
  readonly after?: number | undefined;
  /** Called if no other try follows: returns what there is, or throws. */
  readonly giveUp: () => T;
}

/** What became of a try. */
export type Outcome<T> = { readonly done: T } | Again<T>;

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** How often an answer may be lost; 4 times by default. */
  readonly tries?: number | undefined;
  /** Called before each pause, with its milliseconds. */
  readonly onPause?: ((pause: number) => void) | undefined;
}

const TRIES = 4;

/** The pause before the second try, in milliseconds. It doubles with each further one, up to the longest. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [500, 30_000];

/** How long all pauses together may take, in milliseconds: many limits are by the minute. */
const PATIENCE = 120_000;

/**
 * Tries until it is done, or there is no use in it.
 * @throws what a try, or its `giveUp`, throws; the reason of the signal
 */
export async function retry<T>(
  attempt: () => Promise<Outcome<T>>,
  { signal, tries = TRIES, onPause }: RetryOptions,
): Promise<T> {
  let lost = 0;
  let patience = PATIENCE;
  for (let backOff = FIRST_PAUSE; ; backOff = Math.min(2 * backOff, LONGEST_PAUSE)) {
    const outcome = await attempt();
    if ('done' in outcome) return outcome.done;
    const { again, after = 0, giveUp } = outcome;
    if (again === 'lost') lost++;
    if (lost >= tries || patience <= 0 || after > patience) return giveUp();
    // Others wait as well, and come back at another time.
    const pause = Math.min(Math.max(after, backOff * (0.5 + Math.random() / 2)), patience);
    patience -= pause;
    onPause?.(pause);
    await wait(pause, [signal]);
  }
}
