import * as z from 'zod/mini';
import { string } from './text.ts';

const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Far more than decimals of use; what is longer is not looked at. */
const MAX = 255;

/**
 * A time as of RFC 3339, with any offset; kept as UTC with milliseconds, finer decimals cut off.
 * Years 0000 to 9999 in UTC.
 */
export function timestamp(): z.ZodMiniString<string> {
  const withOffset = z.iso.datetime({ offset: true });
  return string({
    what: 'an ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z',
    max: MAX,
    holds: (value) => IN_UTC.test(value),
    shape: { format: 'date-time' },
    // What is no time stays as it is, and breaks the rule.
    canonical: (value) =>
      withOffset.safeParse(value).success ? new Date(value).toISOString() : value,
  });
}
