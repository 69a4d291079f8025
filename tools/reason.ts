/** Returns the message of an error with that of its cause, which alone says what failed below `fetch`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Of a name with several addresses, each has a reason, and the message is empty.
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  const reasons = causes.filter((each) => each instanceof Error).map(({ message }) => message);
  return [error.message, ...new Set(reasons)].join(': ');
}
