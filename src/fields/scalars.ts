import * as z from 'zod/mini';
import { asSentence, expected, formatInteger, jsonSchemas } from './expected.ts';

export function boolean(): z.ZodMiniBoolean {
  const what = 'true or false';
  return z
    .boolean({ error: expected(what) })
    .register(jsonSchemas, { description: asSentence(what) });
}

export function integer(min: number, max: number): z.ZodMiniNumber {
  return number(
    `an integer from ${formatInteger(min)} to ${formatInteger(max)}`,
    (value) => Number.isInteger(value) && value >= min && value <= max,
    { type: 'integer', minimum: min, maximum: max },
  );
}

/** An amount in the minor unit of its currency. */
export function cents(): z.ZodMiniNumber {
  return integer(0, 999_999_999_999);
}

/** A count from `min` to the maximum of a 32-bit signed integer. */
export function count(min: number): z.ZodMiniNumber {
  return integer(min, 2_147_483_647);
}

/** A percentage with at most two decimals, from `min` to `max`. */
export function percent(min: number, max: number): z.ZodMiniNumber {
  return number(
    `a number from ${formatInteger(min)} to ${max} with at most two decimals`,
    (value) => value >= min && value <= max && Math.round(value * 100) / 100 === value,
    { minimum: min, maximum: max },
  );
}

/** One check with one message: zod's own checks would be a kilobyte of the Worker. */
function number(
  what: string,
  holds: (value: number) => boolean,
  shape: z.core.JSONSchema.BaseSchema,
): z.ZodMiniNumber {
  const error = expected(what);
  return z
    .number({ error })
    .check(z.refine(holds, { error }))
    .register(jsonSchemas, { ...shape, description: asSentence(what) });
}
