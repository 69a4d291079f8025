import type * as z from 'zod/mini';

/** A zod error map that says what would be right, or that a value is missing altogether. */
export function expected(what: string): (issue: z.core.$ZodRawIssue) => string {
  return (issue) => (issue.input === undefined ? 'required' : `expected ${what}`);
}

/** The same words as a sentence. */
export function capitalized(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
}

/** A whole number as people read it: 9,999,999,999. */
export function grouped(number: number): string {
  // Not toLocaleString: to load its tables took more than half of the Worker's start.
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
