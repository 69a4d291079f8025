import { ANY_CASE, TIMES } from './fields.ts';

// How the service stores values. Two values that it stores as one are equal.

/** A fraction of a second, and the decimals that the service cuts off. `Date.parse` does not always do so. */
const FINER = /(\.\d{3})\d+/;

/** A time with an offset, and its day. */
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d)T.*(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Returns the value that identifies an item or a resource, as the service compares it.
 * @param field the field that it is matched by
 */
export function storedKey(value: string, field: string): string {
  const text = storedText(value);
  if (!ANY_CASE.includes(field)) return text;
  // As SQLite's NOCASE does: other letters than these have a case to it.
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns a value as the service stores it, if the service accepts it. */
export function storedValue(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => storedValue(one, field));
  if (typeof value !== 'string') return value;
  const text = storedText(value);
  return TIMES.includes(field) ? storedTime(text) : text;
}

/** Returns a time in UTC, or the text as it is if the service takes it for none, such as one without an offset. */
function storedTime(text: string): string {
  const day = WITH_OFFSET.exec(text)?.[1] ?? '';
  const [date, time] = [new Date(day), new Date(text.replace(FINER, '$1'))];
  if (Number.isNaN(date.getTime()) || Number.isNaN(time.getTime())) return text;
  // V8 takes the 31st of February for the 3rd of March.
  return date.toISOString().startsWith(day) ? time.toISOString() : text;
}

/** Returns a text as the service stores every text. */
function storedText(text: string): string {
  return composed(text.trim());
}

/** The longest text that the service composes, in UTF-16 units: 65,535 code points, each of at most 8 units. */
const LONGEST = 8 * 65_535;

/** The most combining marks in a row that the service takes, and what is none. Two vowels of Kirat Rai compose like marks. */
const MOST_MARKS = 30;
const NO_MARKS = /[^\p{M}\u{16d67}\u{16d68}]+/u;

/**
 * Returns a text in NFC. One that the service refuses, because it is too long or has too many combining marks in a row, stays as
 * it is: `normalize` takes quadratic time for them.
 */
export function composed(text: string): string {
  if (text.length > LONGEST) return text;
  const hasTooMany = text
    .split(NO_MARKS)
    .some((marks) => marks.length > MOST_MARKS && Array.from(marks).length > MOST_MARKS);
  return hasTooMany ? text : text.normalize();
}
