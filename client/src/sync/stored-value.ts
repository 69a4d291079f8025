import { utcTime } from '../../../common/utc-time.ts';
import { FIELDS } from '../fields.ts';
import { composed } from '../stored.ts';

/** The fields whose values are times. None has another meaning in another collection. */
const TIMES = new Set(
  Object.values(FIELDS).flatMap((fields) =>
    fields.flatMap(({ name, kind }) => (kind === 'time' ? name : [])),
  ),
);

/** Returns a value as the service stores it, if the service accepts it. */
export function storedValue(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => storedValue(one, field));
  if (typeof value !== 'string') return value;
  const text = composed(value.trim());
  // What is no time is sent as it is, and refused.
  return TIMES.has(field) ? utcTime(text) || text : text;
}
