/** What to do about an error of D1: retry, let the client come back later, or look for our own mistake. */
export type D1Failure = 'transient' | 'unavailable' | 'bug';

// D1 reports by text alone. The texts are those of its documentation (Debug D1, error list), of the runtime (Errors and
// exceptions), of SQLite's result codes, and what else has been seen in production.
// An overloaded, timed-out or full database is not asked again: that would only add to its load.
const UNAVAILABLE = [
  'overloaded',
  'Too many requests queued',
  'exceeded timeout',
  'exceeded its memory limit',
  'exceeded its CPU time limit',
  'maximum DB size',
  'maximum account storage',
  'free tier daily row',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_NOMEM',
];

const TRANSIENT = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue',
  'Replica disconnected from primary',
  // The stream between the Worker and D1, whose client is the Worker.
  'client disconnected',
  // The whole text is "internal error; reference = …": the runtime hides the cause.
  'internal error',
  // What stands before D1 has sent an error page.
  'Failed to parse body as JSON',
  'daemonDown',
  // SQLITE_BUSY and SQLITE_LOCKED: another connection is writing. Only in local development, next to the tools.
  'database is locked',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
];

/** Reads an error of D1. It is the only place that knows D1's texts. */
export function classify(error: unknown): D1Failure {
  const text = error instanceof Error ? texts(error) : String(error);
  if (UNAVAILABLE.some((part) => text.includes(part))) return 'unavailable';
  if (TRANSIENT.some((part) => text.includes(part))) return 'transient';
  return 'bug';
}

/** D1 puts what happened into the message, and again into the cause. */
function texts(error: Error): string {
  return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
}
