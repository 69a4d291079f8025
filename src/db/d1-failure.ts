/** How to handle an error of D1: retry, let the client retry later, or report a bug of the service. */
export type D1Failure = 'transient' | 'unavailable' | 'bug';

// D1 errors have no codes, only texts. These come from D1's documentation (Debug D1, error list), the runtime's (Errors
// and exceptions), SQLite's result codes, and production. An overloaded, timed-out or full database is not retried:
// that would add to its load.
const UNAVAILABLE = [
  'overloaded',
  'Too many requests queued',
  'exceeded timeout',
  // Its memory limit, or its CPU time limit.
  'exceeded its',
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
  // A proxy in front of D1 sent an error page.
  'Failed to parse body as JSON',
  'daemonDown',
  // SQLITE_BUSY and SQLITE_LOCKED: another connection is writing. Only in local development, next to the tools.
  'database is locked',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
];

/** Classifies an error of D1. Only this file knows D1's error texts. */
export function classify(error: unknown): D1Failure {
  const text = error instanceof Error ? texts(error) : String(error);
  if (UNAVAILABLE.some((part) => text.includes(part))) return 'unavailable';
  if (TRANSIENT.some((part) => text.includes(part))) return 'transient';
  return 'bug';
}

/** D1 puts the error text into the message and into the cause. */
function texts(error: Error): string {
  return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
}
