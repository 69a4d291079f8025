/** A JSON object that nobody has checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object, or an empty one if the value is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the objects of a list; none if the value is no list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns a text; undefined if the value is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns a text, also of a number; empty for another value. */
export function writtenOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : (textOf(value) ?? '');
}

/** Returns a number; undefined if the value is none. Counts are texts in some of Shopify's answers. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' ? number : undefined;
}
