import { TIMES } from '../fields.ts';
import { composed } from '../stored.ts';

/** A fraction of a second, and the decimals that the service cuts off. `Date.parse` does not always do so. */
const FINER = /(\.\d{3})\d+/;

/** A time with an offset, and its day. */
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d)T.*(?:Z|[+-]\d\d:\d\d)$/;

/** Returns a value as the service stores it, if the service accepts it. */
export function storedValue(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => storedValue(one, field));
  if (typeof value !== 'string') return value;
  const text = composed(value.trim());
  return TIMES.includes(field) ? storedTime(text) : text;
}

/** Returns a time in UTC, or the text as it is if the service takes it for none, such as one without an offset. */
function storedTime(text: string): string {
  const day = WITH_OFFSET.exec(text)?.[1] ?? '';
  const [date, time] = [new Date(day), new Date(text.replace(FINER, '$1'))];
  if (Number.isNaN(date.getTime()) || Number.isNaN(time.getTime())) return text;
  // V8 takes the 31st of February for the 3rd of March.
  return date.toISOString().startsWith(day) ? time.toISOString() : text;
}
