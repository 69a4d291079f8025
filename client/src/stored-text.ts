// How the service stores texts. Two that it stores as one are equal.

/** The fields whose values are unique, whatever the case of A to Z. Here, because a page that pushes needs no other field. */
export const ANY_CASE: readonly string[] = ['code'];

/** Returns the value that identifies an item or a resource, as the service compares it. */
export function storedKey(value: string, field: string): string {
  const text = composed(value.trim());
  if (!ANY_CASE.includes(field)) return text;
  // As SQLite's NOCASE does: other letters than these have a case to it.
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
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
