import type * as z from 'zod/mini';
import { string } from './text.ts';

/** An RFC 3339 time, and its day. */
const FORM =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The decimals beyond milliseconds. V8 does not count the zeros before them, and takes `.0123456789` for 0.123 s. */
const FINER = /(\.\d{3})\d+/;

/** An RFC 3339 time with any offset, in the years 0000 to 9999 in UTC. It is stored in UTC, truncated to milliseconds. */
export function timestamp(): z.ZodMiniString<string> {
  return string({
    what: 'an ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z',
    // Far more than useful decimals need.
    max: 255,
    // Years of more digits make it longer.
    isValid: (value) => value.length === '2026-01-31T09:30:00.000Z'.length,
    jsonSchema: { format: 'date-time' },
    canonical: inUtc,
  });
}

/** Returns a time in UTC; an empty text if it is none, even if it has the form of one, such as the 30th of February. */
function inUtc(text: string): string {
  const day = FORM.exec(text)?.[1];
  // V8 takes the 30th of February for the 2nd of March.
  return day !== undefined && toIso(day).startsWith(day) ? toIso(text.replace(FINER, '$1')) : '';
}

function toIso(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
