import type * as z from 'zod/mini';

/** A zod error map that says what would be right, or that a value is missing altogether. */
export function expected(what: string): (issue: z.core.$ZodRawIssue) => string {
  return (issue) => (issue.input === undefined ? 'required' : `expected ${what}`);
}

/** The same words as a sentence. */
export function asSentence(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
}

/** A whole number as people read it: 9,999,999,999. */
export function grouped(number: number): string {
  // Not toLocaleString: to load its tables took more than half of the Worker's start.
  const sign = number < 0 ? '-' : '';
  const digits = String(Math.abs(number));
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) {
    groups.unshift(digits.slice(Math.max(0, end - 3), end));
  }
  return sign + groups.join();
}
