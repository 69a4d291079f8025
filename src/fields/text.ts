import * as z from 'zod/mini';
import { CURRENCIES } from '../../common/currencies.ts';
import { asSentence, expected, formatInteger, jsonSchemas } from './expected.ts';

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;

/** The Stream-Safe Text Format (UAX #15, 13). `normalize` takes quadratic time for longer runs of combining marks. */
const MAX_MARKS = 30;
const FEWER_MARKS = `at most ${MAX_MARKS} combining marks in a row`;
/** What is no mark. Two vowels of Kirat Rai compose like marks. */
const NO_MARKS = /[^\p{M}\u{16d67}\u{16d68}]+/u;

/** The most UTF-16 units that NFC composes into one code point: four code points of up to two units each. */
const UNITS_PER_CODE_POINT = 8;

interface StringRule {
  /** The rule in words, after "expected". */
  readonly what: string;
  /** The maximum number of code points. Longer values are rejected before any other processing. */
  readonly max: number;
  /** Whether a cleaned value satisfies the rule. */
  readonly isValid: (value: string) => boolean;
  /** The rule as far as JSON Schema can express it. */
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
  /** Converts a cleaned value to the form in which it is stored. */
  readonly canonical?: (value: string) => string;
}

/**
 * The base of every string field. A value is trimmed, limited in length, normalized to NFC (UAX #15), and validated
 * against its rule, in this order. The cleaned value is stored. The time is linear in the length.
 */
export function string(rule: StringRule): z.ZodMiniString<string> {
  return z
    .string({ error: expected(rule.what) })
    .check((payload) => {
      const { value: input, issues } = payload;
      const result = clean(input, rule);
      if ('value' in result) payload.value = result.value;
      else issues.push({ code: 'custom', input, message: `expected ${result.expected}` });
    })
    .register(jsonSchemas, { description: asSentence(rule.what), ...rule.jsonSchema });
}

// One step instead of several checks: zod runs a check that changes a value even if an earlier check has rejected it.
function clean(
  sent: string,
  { what, max, isValid, canonical = (value) => value }: StringRule,
): { readonly value: string } | { readonly expected: string } {
  const trimmed = sent.trim();
  if (trimmed.length > UNITS_PER_CODE_POINT * max || !trimmed.isWellFormed()) {
    return { expected: what };
  }
  if (hasTooManyMarks(trimmed)) return { expected: FEWER_MARKS };
  const composed = trimmed.normalize('NFC');
  // NFC decomposes some marks. A stored value must be accepted again.
  if (composed !== trimmed && hasTooManyMarks(composed)) return { expected: FEWER_MARKS };
  const value = canonical(composed);
  return isAtMost(value, max) && isValid(value) ? { value } : { expected: what };
}

/** Not a pattern for 31 marks, which would read each mark up to 31 times. */
function hasTooManyMarks(text: string): boolean {
  return text.split(NO_MARKS).some((marks) => !isAtMost(marks, MAX_MARKS));
}

// In code points.
function isAtMost(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && Array.from(value).length <= max);
}

function isAtLeast(value: string, min: number): boolean {
  return value.length >= 2 * min || Array.from(value).length >= min;
}

/** One line of text, `min` to `max` code points long, without control characters. */
export function singleLineText(min: number, max: number): z.ZodMiniString<string> {
  return text(min, max, CONTROL, 'without control characters', '\\u0000-\\u001f\\u007f-\\u009f');
}

/** Text of one or more lines, `min` to `max` code points long, without control characters except tabs and line breaks. */
export function multiLineText(min: number, max: number): z.ZodMiniString<string> {
  const without = 'without control characters other than line ends and tabs';
  const excluded = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
  return text(min, max, CONTROL_BUT_LINES, without, excluded);
}

/** @param excluded the characters of `forbidden`, as a character class that every JSON Schema validator supports */
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
    what: `a string of ${min} to ${formatInteger(max)} characters ${without}`,
    max,
    isValid: (value) => isAtLeast(value, min) && !forbidden.test(value),
    jsonSchema: { minLength: min, maxLength: max, pattern: `^${allowed}${notBlank}$` },
  });
}

/** A text of a fixed form, `max` characters at most. */
export function pattern(form: RegExp, max: number, what: string): z.ZodMiniString<string> {
  return string({
    what,
    max,
    isValid: (value) => form.test(value),
    jsonSchema: { pattern: form.source, maxLength: max },
  });
}

/** An upper-case name such as `ATHLETE_DISCOUNT`, `max` characters at most. */
export function upperCaseName(max: number): z.ZodMiniString<string> {
  const what = `an upper-case name of 1 to ${max} letters, digits and underscores, a letter first`;
  return pattern(/^[A-Z][A-Z0-9_]*$/, max, what);
}

export function oneOf(...values: readonly string[]): z.ZodMiniString<string> {
  return enumeration(values, `one of ${values.join(', ')}`);
}

/**
 * A member of a set.
 * @param what the set in words, after "expected"
 * @param id the name of its component in the OpenAPI document, if it has one of its own
 */
function enumeration(
  values: readonly string[],
  what: string,
  id?: string,
): z.ZodMiniString<string> {
  const set = new Set(values);
  const max = Math.max(...values.map((value) => value.length));
  const jsonSchema = { ...(id !== undefined && { id }), enum: [...values] };
  return string({ what, max, isValid: (value) => set.has(value), jsonSchema });
}

/** An alphabetic currency code of ISO 4217, in upper case. */
export function currencyCode(): z.ZodMiniString<string> {
  // A component of its own, because the list is too long to repeat in every schema.
  return enumeration(
    [...CURRENCIES.keys()].sort(),
    'an ISO 4217 currency code such as USD',
    'CurrencyCode',
  );
}
