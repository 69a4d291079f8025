/** What to do about an error of D1: ask again, let the client come back later, or look for our own mistake. */
export type D1Failure = 'transient' | 'unavailable' | 'bug';

// D1 reports by text alone. The texts are those of its documentation (Debug D1, error list).
// An overloaded or timed-out database is not asked again: that would only add to its load.
const UNAVAILABLE = [
  'overloaded',
  'Too many requests queued',
  'exceeded timeout',
  'exceeded its memory limit',
  'exceeded its CPU time limit',
  'maximum DB size',
  'maximum account storage',
  'client disconnected',
];

const TRANSIENT = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue',
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
