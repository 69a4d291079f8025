// How the service stores values. Two values that it stores as one are equal.

/** The field whose values are equal whatever their case. */
const ANY_CASE = 'code';

/** The fields whose values are times. */
const TIMES: ReadonlySet<string> = new Set(['lastSyncedAt', 'sourceUpdatedAt']);

/** A fraction of a second, and the decimals that the service cuts off. `Date.parse` does not always do so. */
const FINER = /(\.\d{3})\d+/;

/**
 * Returns the value that identifies an item or a resource, as the service compares it.
 * @param field the field that it is matched by
 */
export function storedKey(value: string, field: string): string {
  const text = storedText(value);
  return field === ANY_CASE ? text.toLowerCase() : text;
}

/** Returns a value as the service stores it, if the service accepts it. */
export function storedValue(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => storedValue(one, field));
  if (typeof value !== 'string') return value;
  const text = storedText(value);
  const time = TIMES.has(field) ? Date.parse(text.replace(FINER, '$1')) : NaN;
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** Returns a text as the service stores every text. */
function storedText(text: string): string {
  return text.trim().normalize();
}
