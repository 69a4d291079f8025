/**
 * What an error of D1 says of the call: D1 did not begin it; its answer was lost, so that it may have taken effect; D1 has
 * no capacity for it; or the service has a bug.
 */
export type D1Failure = 'not begun' | 'lost' | 'unavailable' | 'bug';

// D1 errors have no codes, only texts. These come from D1's documentation (Debug D1, error list), the runtime's (Errors
// and exceptions), SQLite's result codes, and production. An overloaded, timed-out or full database is not retried:
// that would add to its load.
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

const NOT_BEGUN = [
  // "Cannot resolve D1 DB due to transient issue".
  'transient issue',
  // A database or a table. Another connection is writing: only in local development, next to the tools.
  'is locked',
];

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

/** Classifies an error of D1. Only this file knows D1's error texts. */
export function classify(error: unknown): D1Failure {
  const text = error instanceof Error ? texts(error) : String(error);
  if (UNAVAILABLE.some((part) => text.includes(part))) return 'unavailable';
  if (NOT_BEGUN.some((part) => text.includes(part))) return 'not begun';
  if (LOST.some((part) => text.includes(part))) return 'lost';
  return 'bug';
}

/** D1 puts the error text into the message and into the cause. */
function texts(error: Error): string {
  return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
}
