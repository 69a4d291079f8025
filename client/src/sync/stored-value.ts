import { utcTime } from '../../../common/utc-time.ts';
import { TIMES } from '../fields.ts';
import { composed } from '../stored.ts';

/** Returns a value as the service stores it, if the service accepts it. */
export function storedValue(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => storedValue(one, field));
  if (typeof value !== 'string') return value;
  const text = composed(value.trim());
  // What is no time is sent as it is, and refused.
  return TIMES.includes(field) ? utcTime(text) || text : text;
}
