/** An RFC 3339 time, and its day. */
const FORM =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The decimals beyond milliseconds. V8 does not count the zeros before them, and takes `.0123456789` for 0.123 s. */
const FINER = /(\.\d{3})\d+/;

/**
 * Returns an RFC 3339 time in UTC, truncated to milliseconds; an empty text if it is none, even if it has the form of one, such
 * as the 30th of February.
 */
export function utcTime(text: string): string {
  const day = FORM.exec(text)?.[1];
  // V8 takes the 30th of February for the 2nd of March.
  return day !== undefined && toIso(day).startsWith(day) ? toIso(text.replace(FINER, '$1')) : '';
}

function toIso(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
