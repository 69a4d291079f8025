import type * as z from 'zod/mini';
import { regexes } from 'zod/v4/core';
import { string } from './text.ts';

const WITH_OFFSET = regexes.datetime({ offset: true });
const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * A time as of RFC 3339, with any offset; kept as UTC with milliseconds, finer decimals cut off.
 * Years 0000 to 9999 in UTC.
 */
export function timestamp(): z.ZodMiniString<string> {
  return string(
    'an ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z',
    (value) => IN_UTC.test(value),
    { format: 'date-time' },
    toUtc,
  );
}

/** The same time in the one form that is stored and shown; what is no time stays as it is. */
function toUtc(value: string): string {
  return WITH_OFFSET.test(value) ? new Date(value).toISOString() : value;
}
