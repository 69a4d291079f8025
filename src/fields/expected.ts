import type * as z from 'zod/mini';

/** Returns a zod error map: `required` if the value is missing, otherwise what is expected. */
export function expected(what: string): (issue: z.core.$ZodRawIssue) => string {
  return (issue) => (issue.input === undefined ? 'required' : `expected ${what}`);
}

/** What the documents say of each rule besides what zod knows. zod's own registry would be larger. */
export const shapes = new Map<z.core.$ZodType, z.core.JSONSchema.BaseSchema>();

/** Returns the rule, and notes its JSON Schema for the documents. */
export function documented<T extends z.core.$ZodType>(
  rule: T,
  shape: z.core.JSONSchema.BaseSchema,
): T {
  shapes.set(rule, shape);
  return rule;
}

/** Returns the words after "expected" as a sentence. */
export function asSentence(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
}

/** Formats a whole number with digit groups: 9,999,999,999. */
export function grouped(number: number): string {
  // Not toLocaleString: loading its tables took more than half of the Worker's start-up time.
  const sign = number < 0 ? '-' : '';
  const digits = String(Math.abs(number));
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) {
    groups.unshift(digits.slice(Math.max(0, end - 3), end));
  }
  return sign + groups.join();
}
