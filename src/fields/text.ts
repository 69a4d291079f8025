import * as z from 'zod/mini';
import { capitalized, expected, grouped } from './expected.ts';

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;

/**
 * The ground of every string field: trimmed, then brought to NFC (UAX #15), then held against its rule.
 * The value that is stored is the cleaned one.
 * @param what the rule in words, after «expected»
 * @param holds the rule
 * @param shape what of the rule JSON Schema can say
 * @param canonical brings a cleaned value to the one form in which it is stored
 */
export function string(
  what: string,
  holds: (value: string) => boolean,
  shape: z.core.JSONSchema.BaseSchema = {},
  canonical: (value: string) => string = (value) => value,
): z.ZodMiniString<string> {
  const error = expected(what);
  return z
    .string({ error })
    .check(
      z.overwrite((value) => canonical(value.trim().normalize('NFC'))),
      z.refine((value) => value.isWellFormed() && holds(value), { error }),
    )
    .register(z.globalRegistry, { description: capitalized(what), ...shape });
}

/** One line of text, `min` to `max` code points long, without control characters. */
export function line(min: number, max: number): z.ZodMiniString<string> {
  return text(min, max, CONTROL, 'without control characters');
}

/** Text of one or more lines, `min` to `max` code points long, without other control characters than tab and line ends. */
export function lines(min: number, max: number): z.ZodMiniString<string> {
  return text(
    min,
    max,
    CONTROL_BUT_LINES,
    'without control characters other than line ends and tabs',
  );
}

/** A text of a fixed form. */
export function pattern(form: RegExp, what: string): z.ZodMiniString<string> {
  return string(what, (value) => form.test(value), { pattern: form.source });
}

/** The form of an upper-case name such as `ATHLETE_DISCOUNT`, `max` characters at most. */
export function constantForm(max: number): RegExp {
  return new RegExp(`^[A-Z][A-Z0-9_]{0,${max - 1}}$`);
}

/** An upper-case name, `max` characters at most. */
export function constant(max: number): z.ZodMiniString<string> {
  return pattern(
    constantForm(max),
    `an upper-case name of 1 to ${max} letters, digits and underscores, a letter first`,
  );
}

/** One of a closed set of values. */
export function oneOf(...values: readonly string[]): z.ZodMiniString<string> {
  const set = new Set(values);
  return string(`one of ${values.join(', ')}`, (value) => set.has(value), { enum: [...values] });
}

function text(
  min: number,
  max: number,
  forbidden: RegExp,
  without: string,
): z.ZodMiniString<string> {
  return string(
    `a string of ${min} to ${grouped(max)} characters ${without}`,
    (value) => value.length >= min && isAtMost(value, max) && !forbidden.test(value),
    { minLength: min, maxLength: max },
  );
}

/** Whether a string has `max` code points or fewer; what is short in UTF-16 is not counted. */
export function isAtMost(value: string, max: number): boolean {
  if (value.length <= max) return true;
  if (value.length > 2 * max) return false;
  let count = 0;
  for (const _ of value) count++;
  return count <= max;
}
