import { Unavailable } from '../errors.ts';

// D1 errors have no codes, only texts. These come from D1's documentation (Debug D1, error list), the runtime's (Errors
// and exceptions), SQLite's result codes, and production. Only this file knows them.

/** D1 has no capacity for the call, which is not retried: that would add to the load. */
const UNAVAILABLE = [
  'overloaded',
  'Too many requests queued',
  // The time, memory or CPU time of an object, the size of a database or account, the rows of a day: "exceeded" and
  // "Exceeded". With the space, it is not V8's "Maximum call stack size exceeded".
  'xceeded ',
  // An export or an import, which the operator has started.
  'long-running',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_NOMEM',
];

/** D1 did not begin the call. */
const NOT_BEGUN = [
  // "Cannot resolve D1 DB due to transient issue".
  'transient issue',
  // A database or a table. Another connection is writing: only in local development, next to the tools.
  'is locked',
];

/** The answer was lost, so the call may have taken effect. */
const LOST = [
  'connection lost',
  'caused object to be reset',
  'code was updated',
  // A replica from the primary; or the stream between the Worker and D1, whose client is the Worker.
  'disconnected',
  // The whole text is "internal error; reference = …": the runtime hides the cause.
  'internal error',
  // A proxy in front of D1 sent an error page.
  'parse body as JSON',
  'daemonDown',
];

/** What an error of D1 says of the call. Any other error is a bug of the service. */
export function classify(error: unknown): 'unavailable' | 'not begun' | 'lost' | 'bug' {
  // D1 puts the text into the message and into the cause.
  const text = error instanceof Error ? `${error.message}\n${String(error.cause)}` : String(error);
  if (UNAVAILABLE.some((part) => text.includes(part))) return 'unavailable';
  if (NOT_BEGUN.some((part) => text.includes(part))) return 'not begun';
  if (LOST.some((part) => text.includes(part))) return 'lost';
  return 'bug';
}

/** The database lacks what the code names. */
const NO_SUCH = /no such (?:table|column): [^\s:]+/;

/** The database does not have all migrations. The log says it with the command that helps; the client gets a plain 500. */
export class MissingMigration extends Error {
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

/** What the log calls it. */
const REASONS = {
  unavailable: 'overloaded',
  'not begun': 'not begun',
  lost: 'answer lost',
} as const;

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
      const failure = classify(error);
      if (failure === 'bug') throw explainBug(error);
      const mayRetry = failure === 'not begun' || (failure === 'lost' && isRepeatable);
      if (!mayRetry || tried === TRIES) throw new Unavailable(REASONS[failure], { cause: error });
      // Milliseconds: 50 at most before the second try, and twice as many before the third.
      const wait = Math.random() * 25 * 2 ** tried;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
