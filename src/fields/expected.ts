import * as z from 'zod/mini';

/** Returns a zod error map: `required` if the value is missing, otherwise what is expected. */
export function expected(what: string): (issue: z.core.$ZodRawIssue) => string {
  return (issue) => (issue.input === undefined ? 'required' : `expected ${what}`);
}

/** What the documents say of each rule besides what zod knows. */
export const jsonSchemas = z.registry<z.core.JSONSchema.BaseSchema>();

/** Returns the words after "expected" as a sentence. */
export function asSentence(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
}

/** Formats a whole number: 999,999,999,999. Loading the tables of toLocaleString took more than half of the start-up time. */
export function formatInteger(number: number): string {
  if (Math.abs(number) < 1000) return String(number);
  const digits = String(Math.abs(number % 1000)).padStart(3, '0');
  return `${formatInteger(Math.trunc(number / 1000))},${digits}`;
}
