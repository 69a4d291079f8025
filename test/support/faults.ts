import type { Intercept } from './intercept-d1.ts';
import { interceptD1 } from './intercept-d1.ts';

/** The texts of D1's errors, documented or observed, by how the service must handle them. */
export const D1_ERRORS = {
  /** D1 did not begin the call, which is always repeated. */
  notBegun: [
    'Cannot resolve D1 DB due to transient issue on remote node.',
    'database is locked: SQLITE_BUSY',
    'database is locked: SQLITE_BUSY (extended: SQLITE_BUSY_SNAPSHOT)',
    'database table is locked: SQLITE_LOCKED',
  ],
  /** D1's answer is lost. The call may have taken effect, and is repeated only if that does no harm. */
  lost: [
    'Network connection lost.',
    'Replica disconnected from primary.',
    "Can't read from request stream because client disconnected.",
    'internal error; reference = e_Gz3hrU0b7228883de2448ffa',
    'internal error',
    'Failed to parse body as JSON, got: <html><h1>502 Bad Gateway</h1></html>',
    'daemonDown',
    'Internal error in D1 DB storage caused object to be reset.',
    'Internal error while starting up D1 DB storage caused object to be reset.',
    'D1 DB reset because its code was updated.',
    '{"D1_RESET_DO":true}',
  ],
  /** Overload, which is not retried. */
  overload: [
    'D1 DB is overloaded. Too many requests queued.',
    'D1 DB is overloaded. Requests queued for too long.',
    'D1 DB storage operation exceeded timeout which caused object to be reset.',
    "D1 DB's isolate exceeded its memory limit and was reset.",
    'D1 DB exceeded its CPU time limit and was reset.',
    'Currently processing a long-running export.',
    'Currently processing a long-running import.',
    'disk I/O error: SQLITE_IOERR',
    'out of memory: SQLITE_NOMEM',
  ],
  /** The space of a database or an account is used up. */
  full: [
    'Exceeded maximum DB size.',
    "Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit",
    'database or disk is full: SQLITE_FULL',
  ],
  /** The free plan has used up its rows of a day. */
  dailyLimit: [
    "Your account has exceeded D1's free tier daily row read limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.",
    "Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.",
  ],
  /** Bugs of the service. */
  bug: [
    'near "x": syntax error',
    'no such column: secret_column at offset 7',
    'NOT NULL constraint failed: products.title: SQLITE_CONSTRAINT',
  ],
} as const;

/** When D1 fails: `before` the call has any effect, or `after`, so that only the response is lost. */
export type Moment = 'before' | 'after';

export interface Fault {
  readonly text: string;
  readonly moment: Moment;
  /** How many calls fail, starting with call number `first`. */
  readonly times: number;
  readonly first?: number;
}

export interface FaultyD1 {
  readonly db: D1Database;
  readonly calls: () => number;
}

/** Wraps a database so that calls fail like D1's. */
export function failing(db: D1Database, { text, moment, times, first = 1 }: Fault): FaultyD1 {
  return counting(db, async (call, number) => {
    const fails = number >= first && number < first + times;
    if (fails && moment === 'before') throw d1Error(text);
    const result = await call();
    if (fails) throw d1Error(text);
    return result;
  });
}

/** What happens between the first try of a call and the second. */
export interface Interruption {
  readonly moment: Moment;
  readonly between: () => Promise<unknown>;
}

/** A database whose first call fails in passing; before the next, others do something. */
export function interrupted(db: D1Database, { moment, between }: Interruption): FaultyD1 {
  return counting(db, async (call, number) => {
    if (number > 1) return call();
    if (moment === 'after') await call();
    await between();
    throw d1Error(D1_ERRORS.lost[0]);
  });
}

/** Wraps a database so that it waits before each call and before each response. */
export function slow(db: D1Database, milliseconds: number): FaultyD1 {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
  return counting(db, async (call) => {
    await pause();
    const result = await call();
    await pause();
    return result;
  });
}

function counting(
  db: D1Database,
  intercept: (call: Parameters<Intercept>[0], number: number) => Promise<unknown>,
): FaultyD1 {
  let calls = 0;
  return { db: interceptD1(db, (call) => intercept(call, ++calls)), calls: () => calls };
}

/** Creates an error like those of D1's binding: the text is in the message and in the cause. */
export function d1Error(text: string): Error {
  return new Error(`D1_ERROR: ${text}`, { cause: new Error(text) });
}
