import type * as z from 'zod/mini';
import { utcTime } from '../../common/utc-time.ts';
import { string } from './text.ts';

/** An RFC 3339 time with any offset, in the years 0000 to 9999 in UTC. It is stored in UTC, truncated to milliseconds. */
export function timestamp(): z.ZodMiniString<string> {
  return string({
    what: 'an ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z',
    // Far more than useful decimals need.
    max: 255,
    // Years of more digits make it longer.
    isValid: (value) => value.length === '2026-01-31T09:30:00.000Z'.length,
    jsonSchema: { format: 'date-time' },
    canonical: utcTime,
  });
}
