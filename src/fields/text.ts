import * as z from 'zod/mini';
import { asSentence, expected, grouped } from './expected.ts';

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;

/**
 * More combining marks in a row than the Stream-Safe Text Format has (UAX #15, 13). `normalize` takes quadratic time for
 * such a run, and for one of the two vowels of Kirat Rai that compose like marks without being any.
 * Looking behind keeps the search linear: it starts once in each run, and not at each mark of it.
 */
const TOO_MANY_MARKS = /(?<![\p{M}\u{16d67}\u{16d68}])[\p{M}\u{16d67}\u{16d68}]{31}/u;
const FEWER_MARKS = 'at most 30 combining marks in a row';

/**
 * The most UTF-16 units that NFC makes one code point of: no character is made of more than four, each of one or two units.
 */
const UNITS_PER_CODE_POINT = 8;

/** The rule of a string field. */
export interface StringRule {
  /** The rule in words, after "expected". */
  readonly what: string;
  /** The most code points that a value may have: longer ones are refused before anything else is done with them. */
  readonly max: number;
  /** Whether a cleaned value obeys the rule. */
  readonly holds: (value: string) => boolean;
  /** What JSON Schema can express of the rule. */
  readonly shape?: z.core.JSONSchema.BaseSchema;
  /** Brings a cleaned value to the one form in which it is stored. */
  readonly canonical?: (value: string) => string;
}

/**
 * The base of every string field. A value is trimmed, then its length is limited, then it is brought to NFC (UAX #15),
 * then compared with its rule. The value that is stored is the cleaned one. The time is linear in the length.
 */
export function string(rule: StringRule): z.ZodMiniString<string> {
  const { what, shape = {} } = rule;
  return z
    .string({ error: expected(what) })
    .check((payload) => {
      const result = clean(payload.value, rule);
      if ('value' in result) payload.value = result.value;
      else {
        const { value: input } = payload;
        payload.issues.push({ code: 'custom', input, message: `expected ${result.expected}` });
      }
    })
    .register(z.globalRegistry, { description: asSentence(what), ...shape });
}

// One step, and not one check each: zod runs a check that changes a value even if an earlier one has refused it.
function clean(
  sent: string,
  { what, max, holds, canonical = (value) => value }: StringRule,
): { readonly value: string } | { readonly expected: string } {
  const trimmed = sent.trim();
  if (trimmed.length > UNITS_PER_CODE_POINT * max || !trimmed.isWellFormed()) {
    return { expected: what };
  }
  if (TOO_MANY_MARKS.test(trimmed)) return { expected: FEWER_MARKS };
  const composed = trimmed.normalize('NFC');
  // NFC takes some marks apart. What is stored must be accepted again.
  if (composed !== trimmed && TOO_MANY_MARKS.test(composed)) return { expected: FEWER_MARKS };
  const value = canonical(composed);
  return isAtMost(value, max) && holds(value) ? { value } : { expected: what };
}

/** One line of text, `min` to `max` code points long, without control characters. */
export function singleLineText(min: number, max: number): z.ZodMiniString<string> {
  return text(min, max, CONTROL, 'without control characters', '\\u0000-\\u001f\\u007f-\\u009f');
}

/** Text of one or more lines, `min` to `max` code points long, without other control characters than tab and line ends. */
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

/** @param excluded what `forbidden` finds, as a class of a pattern that every JSON Schema validator can read */
function text(
  min: number,
  max: number,
  forbidden: RegExp,
  without: string,
  excluded: string,
): z.ZodMiniString<string> {
  const allowed = `[^${excluded}]*`;
  // What is all white space is empty once it is trimmed.
  const notBlank = min > 0 ? `[^\\s${excluded}]${allowed}` : '';
  return string({
    what: `a string of ${min} to ${grouped(max)} characters ${without}`,
    max,
    holds: (value) => value.length >= min && !forbidden.test(value),
    shape: { minLength: min, maxLength: max, pattern: `^${allowed}${notBlank}$` },
  });
}

/** Whether a string has `max` code points or fewer; what is short in UTF-16 is not counted. */
function isAtMost(value: string, max: number): boolean {
  if (value.length <= max) return true;
  if (value.length > 2 * max) return false;
  let count = 0;
  for (const _ of value) count++;
  return count <= max;
}
