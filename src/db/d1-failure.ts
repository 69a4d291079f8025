import type { UnavailableReason } from '../errors.ts';
import { Unavailable } from '../errors.ts';
import { d1ErrorIn } from './d1-errors.ts';

/** The database lacks what the code names. */
const NO_SUCH = /no such (?:table|column): [^\s:]+/;

/** The database does not have all migrations. The log says it with the command that helps; the client gets a plain 500. */
class MissingMigration extends Error {
  override readonly name = 'MissingMigration';
}

/** Returns a bug as the log is to show it. */
function explainBug(error: unknown): unknown {
  const [found] = NO_SUCH.exec(String(error)) ?? [];
  if (found === undefined) return error;
  return new MissingMigration(
    `${found}. Apply the migrations. In local development: npx wrangler d1 migrations apply DB --local`,
    { cause: error },
  );
}

/** Returns why D1 did not serve a call, or may not have; undefined if its error is a bug of the service. */
export function whyUnavailable(error: unknown): UnavailableReason | undefined {
  // D1 puts the text into the message and into the cause.
  const text = error instanceof Error ? `${error.message}\n${String(error.cause)}` : String(error);
  return d1ErrorIn(text)?.reason;
}

/** How often a call is made at most. */
export const TRIES = 3;

/**
 * Calls D1, and retries a call that D1 did not begin, and one whose answer was lost if it may be repeated.
 * @param isRepeatable whether the call may take effect twice
 * @throws Unavailable if D1 stays unavailable, or nobody can tell whether a write took effect; MissingMigration; another
 *   bug unchanged
 */
export async function withRetries<T>(isRepeatable: boolean, call: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await call();
    } catch (error) {
      const reason = whyUnavailable(error);
      if (reason === undefined) throw explainBug(error);
      const mayRetry = reason === 'not begun' || (reason === 'answer lost' && isRepeatable);
      if (!mayRetry || tried === TRIES) throw new Unavailable(reason, { cause: error });
      // Milliseconds: 50 at most before the second try, and twice as many before the third.
      const wait = Math.random() * 25 * 2 ** tried;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
