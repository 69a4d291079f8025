import * as z from 'zod/mini';
import { asSentence, documented, expected, grouped } from './expected.ts';

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;

/**
 * How many combining marks in a row the Stream-Safe Text Format allows (UAX #15, 13). `normalize` takes quadratic time for
 * longer runs.
 */
const MOST_MARKS = 30;
const FEWER_MARKS = 'at most 30 combining marks in a row';

/** A mark, or one of two vowels of Kirat Rai, which compose like marks. */
const MARK = /[\p{M}\u{16d67}\u{16d68}]/u;
/** By code point: 1 for a mark, 2 for another, 0 until a text has it. To test it again takes five times as long. */
const kinds = new Uint8Array(0x110000);

/**
 * The maximum number of UTF-16 units that NFC composes into one code point: four code points of up to two units each.
 */
const UNITS_PER_CODE_POINT = 8;

/**
 * Anything but printable ASCII. Most text has none of it: so it has no marks or control characters and is in NFC, which
 * the patterns for all of Unicode take far longer to find out.
 */
const BEYOND_ASCII = /[^ -~]/;

/** The rule of a string field. */
export interface StringRule {
  /** The rule in words, after "expected". */
  readonly what: string;
  /** The maximum number of code points. Longer values are rejected before any other processing. */
  readonly max: number;
  /**
   * Whether a cleaned value satisfies the rule.
   * @param isAscii whether it has printable ASCII characters only
   */
  readonly holds: (value: string, isAscii: boolean) => boolean;
  /** The rule as far as JSON Schema can express it. */
  readonly shape?: z.core.JSONSchema.BaseSchema;
  /** Converts a cleaned value to the form in which it is stored. */
  readonly canonical?: (value: string) => string;
}

/**
 * The base of every string field. A value is trimmed, limited in length, normalized to NFC (UAX #15), and validated
 * against its rule, in this order. The cleaned value is stored. The time is linear in the length.
 */
export function string(rule: StringRule): z.ZodMiniString<string> {
  const { what, shape = {} } = rule;
  const schema = z.string({ error: expected(what) }).check((payload) => {
    const result = clean(payload.value, rule);
    if ('value' in result) payload.value = result.value;
    else {
      const { value: input } = payload;
      payload.issues.push({ code: 'custom', input, message: `expected ${result.expected}` });
    }
  });
  return documented(schema, { description: asSentence(what), ...shape });
}

// One step instead of several checks: zod runs a check that changes a value even if an earlier check has rejected it.
function clean(
  sent: string,
  { what, max, holds, canonical = (value) => value }: StringRule,
): { readonly value: string } | { readonly expected: string } {
  const trimmed = sent.trim();
  if (trimmed.length > UNITS_PER_CODE_POINT * max || !trimmed.isWellFormed()) {
    return { expected: what };
  }
  const isAscii = !BEYOND_ASCII.test(trimmed);
  const composed = isAscii ? trimmed : compose(trimmed);
  if (composed === undefined) return { expected: FEWER_MARKS };
  const value = canonical(composed);
  return isAtMost(value, max) && holds(value, isAscii) ? { value } : { expected: what };
}

/** Returns a text in NFC; undefined if it has too many marks in a row. */
function compose(text: string): string | undefined {
  if (hasTooManyMarks(text)) return undefined;
  const composed = text.normalize('NFC');
  // NFC decomposes some marks. A stored value must be accepted again.
  return composed !== text && hasTooManyMarks(composed) ? undefined : composed;
}

/**
 * Whether a text has too many marks in a row. Looks at one unit in 31, and reads backwards from it only over marks: a
 * pattern takes up to thirty times as long for all of the text.
 */
function hasTooManyMarks(text: string): boolean {
  let start = 0;
  while (start + MOST_MARKS < text.length) {
    let at = start + MOST_MARKS;
    while (at >= start && isMark(text, at)) at--;
    if (at < start) {
      // 31 units are marks. One mark has up to two.
      at = start;
      while (at <= start + 2 * MOST_MARKS && isMark(text, at)) at++;
      if (Array.from(text.slice(start, at)).length > MOST_MARKS) return true;
    }
    start = at + 1;
  }
  return false;
}

/** Whether a UTF-16 unit of a well-formed text is a mark or a half of one. */
function isMark(text: string, at: number): boolean {
  const point = text.codePointAt(isTrail(text, at) ? at - 1 : at) ?? 0;
  return (kinds[point] ||= MARK.test(String.fromCodePoint(point)) ? 1 : 2) === 1;
}

/** One line of text, `min` to `max` code points long, without control characters. */
export function singleLineText(min: number, max: number): z.ZodMiniString<string> {
  return text(min, max, CONTROL, 'without control characters', '\\u0000-\\u001f\\u007f-\\u009f');
}

/**
 * Text of one or more lines, `min` to `max` code points long, without control characters except tabs and line breaks.
 */
export function multiLineText(min: number, max: number): z.ZodMiniString<string> {
  return text(
    min,
    max,
    CONTROL_BUT_LINES,
    'without control characters other than line ends and tabs',
    '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f',
  );
}

/** A text of a fixed form, `max` characters at most. */
export function pattern(form: RegExp, max: number, what: string): z.ZodMiniString<string> {
  return string({
    what,
    max,
    holds: (value) => form.test(value),
    shape: { pattern: form.source, maxLength: max },
  });
}

const UPPER_CASE_NAME = /^[A-Z][A-Z0-9_]*$/;

/** Whether a text is an upper-case name such as `ATHLETE_DISCOUNT`, `max` characters at most. */
export function isUpperCaseName(text: string, max: number): boolean {
  return text.length <= max && UPPER_CASE_NAME.test(text);
}

/** An upper-case name, `max` characters at most. */
export function upperCaseName(max: number): z.ZodMiniString<string> {
  return pattern(
    UPPER_CASE_NAME,
    max,
    `an upper-case name of 1 to ${max} letters, digits and underscores, a letter first`,
  );
}

/** One of a closed set of values. */
export function oneOf(...values: readonly string[]): z.ZodMiniString<string> {
  return memberOf(new Set(values), `one of ${values.join(', ')}`, { enum: [...values] });
}

/**
 * A member of a set.
 * @param what the set in words, after "expected"
 */
export function memberOf(
  values: ReadonlySet<string>,
  what: string,
  shape: z.core.JSONSchema.BaseSchema,
): z.ZodMiniString<string> {
  const max = Math.max(...Array.from(values, (value) => value.length));
  return string({ what, max, holds: (value) => values.has(value), shape });
}

/**
 * @param excluded the same characters as `forbidden`, as a character class that every JSON Schema validator supports
 */
function text(
  min: number,
  max: number,
  forbidden: RegExp,
  without: string,
  excluded: string,
): z.ZodMiniString<string> {
  const allowed = `[^${excluded}]*`;
  // Text of only white space is empty after trimming.
  const notBlank = min > 0 ? `[^\\s${excluded}]${allowed}` : '';
  return string({
    what: `a string of ${min} to ${grouped(max)} characters ${without}`,
    max,
    holds: (value, isAscii) => value.length >= min && (isAscii || !forbidden.test(value)),
    shape: { minLength: min, maxLength: max, pattern: `^${allowed}${notBlank}$` },
  });
}

/**
 * Whether a string has at most `max` code points. Code points are counted only if the UTF-16 length does not decide.
 */
function isAtMost(value: string, max: number): boolean {
  if (value.length <= max) return true;
  if (value.length > 2 * max) return false;
  let count = 0;
  for (let at = 0; at < value.length; at++) if (!isTrail(value, at)) count++;
  return count <= max;
}

/** Whether a UTF-16 unit is the second of a code point. */
function isTrail(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
