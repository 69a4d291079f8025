import { $ZodISODateTime, _isoDateTime } from 'zod/v4/core';
import * as z from 'zod/mini';
import { string } from './text.ts';

const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The decimals beyond milliseconds. V8 does not count the zeros before them, and takes `.0123456789` for 0.123 s. */
const FINER = /(\.\d{3})\d+/;

/** The maximum length, far more than useful decimals need. Longer values are rejected without parsing. */
const MAX = 255;

/**
 * An RFC 3339 time with any offset, in the years 0000 to 9999 in UTC. It is stored in UTC, truncated to milliseconds.
 */
export function timestamp(): z.ZodMiniString<string> {
  // Not zod's `iso.datetime`, whose namespace would bring the other ISO formats into the Worker.
  const withOffset = _isoDateTime($ZodISODateTime, { offset: true });
  return string({
    what: 'an ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z',
    max: MAX,
    holds: (value) => IN_UTC.test(value),
    shape: { format: 'date-time' },
    // A value that is no time fails the rule, even if it has the form of one, such as the 30th of February.
    canonical: (value) =>
      z.safeParse(withOffset, value).success
        ? new Date(value.replace(FINER, '$1')).toISOString()
        : '',
  });
}
