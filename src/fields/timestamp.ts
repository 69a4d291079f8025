import * as z from 'zod/mini';
import { string } from './text.ts';

const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * A time as of RFC 3339, with any offset; kept as UTC with milliseconds, finer decimals cut off.
 * Years 0000 to 9999 in UTC.
 */
export function timestamp(): z.ZodMiniString<string> {
  const withOffset = z.iso.datetime({ offset: true });
  return string(
    'an ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z',
    (value) => IN_UTC.test(value),
    { format: 'date-time' },
    // What is no time stays as it is, and breaks the rule.
    (value) => (withOffset.safeParse(value).success ? new Date(value).toISOString() : value),
  );
}
