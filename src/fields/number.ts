import * as z from 'zod';
import { capitalized, expected, grouped } from './expected.ts';

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): z.ZodInt {
  const what = `an integer from ${grouped(min)} to ${grouped(max)}`;
  const error = expected(what);
  return z
    .int({ error })
    .min(min, { error })
    .max(max, { error })
    .meta({ description: capitalized(what) });
}

/** An amount in the minor unit of its currency. */
export function cents(): z.ZodInt {
  return integer(0, 9_999_999_999);
}

/** A count that a 32-bit signed integer holds. */
export function count(min: number): z.ZodInt {
  return integer(min, 2_147_483_647);
}

/** A percentage with at most two decimals, from `min` to `max`; `above` excludes `min` itself. */
export function percent(min: number, max: number, { above = false } = {}): z.ZodNumber {
  const range = above ? `above ${min}, ${max} at most` : `from ${grouped(min)} to ${max}`;
  const what = `a number ${range} with at most two decimals`;
  const error = expected(what);
  const number = above
    ? z.number({ error }).gt(min, { error })
    : z.number({ error }).min(min, { error });
  return number
    .max(max, { error })
    .refine((value) => Math.round(value * 100) / 100 === value, { error })
    .meta({ description: capitalized(what) });
}
