import * as z from 'zod/mini';
import { asSentence, expected, grouped } from './expected.ts';

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): z.ZodMiniNumberFormat {
  const what = `an integer from ${grouped(min)} to ${grouped(max)}`;
  // Stop at the first broken rule: all rules have the same message.
  const error = { error: expected(what), abort: true };
  return z
    .int(error)
    .check(z.minimum(min, error), z.maximum(max, error))
    .register(z.globalRegistry, { description: asSentence(what) });
}

/** An amount in the minor unit of its currency. */
export function cents(): z.ZodMiniNumberFormat {
  return integer(0, 9_999_999_999);
}

/** A count from `min` to the maximum of a 32-bit signed integer. */
export function count(min: number): z.ZodMiniNumberFormat {
  return integer(min, 2_147_483_647);
}

/** A percentage with at most two decimals, from `min` to `max`. `above` excludes `min`. */
export function percent(min: number, max: number, { above = false } = {}): z.ZodMiniNumber {
  const range = above ? `above ${min}, up to ${max},` : `from ${grouped(min)} to ${max}`;
  const what = `a number ${range} with at most two decimals`;
  // Stop at the first broken rule: all rules have the same message.
  const error = { error: expected(what), abort: true };
  return z
    .number(error)
    .check(
      above ? z.gt(min, error) : z.gte(min, error),
      z.lte(max, error),
      z.refine((value) => Math.round(value * 100) / 100 === value, error),
    )
    .register(z.globalRegistry, { description: asSentence(what) });
}
