export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; none if the value is no list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function isWritten(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Returns a text, also of a number; empty for another value. */
export function writtenOf(value: unknown): string {
  return isWritten(value) ? String(value) : '';
}

/** Returns an object, or an empty one if the value is none. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns a text; undefined if the value is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns a number, also one that is written as text, such as `"2"` or `"3.0000"`; undefined if the value is none. */
export function numberOf(value: unknown): number | undefined {
  return /^-?\d+(?:\.\d+)?$/.test(writtenOf(value)) ? Number(value) : undefined;
}

/** A value of a JSON file, and where it is. */
export interface JsonValue {
  /**
   * An element of a list, a line of NDJSON, or a document that is no list, such as `{ "products": [ … ] }`. Undefined for a line
   * that is not valid JSON.
   */
  readonly value: unknown;
  /** `item 5`, `line 3` or `document 1`, from 1. In a list of its own, a reader counts by itself: `product 4711`. */
  readonly place: string;
  /** A name of the list that it is in, if the file has several. */
  readonly list?: string | undefined;
}

/** An object, and where it is. */
export interface PlacedObject extends Pick<JsonValue, 'place' | 'list'> {
  readonly object: JsonObject;
}

/**
 * Returns the elements of the lists that a document has under these names: of `{ "products": [ … ] }` the products. What it has
 * besides is a value too: of a page, it may say that there are more. A value without objects in such a list is returned itself,
 * unless it has nothing else.
 */
export function elementsIn(one: JsonValue, names: readonly string[]): JsonValue[] {
  const { value: document, place } = one;
  if (!isJsonObject(document)) return [one];
  const isList = (name: string, value: unknown): value is unknown[] =>
    names.includes(name) && Array.isArray(value);
  const entries = Object.entries(document);
  const lists = entries.filter(([name, value]) => isList(name, value));
  const hasObjects = lists.some(([, list]) => objectsOf(list).length > 0);
  if (lists.length === 0 || (lists.length < entries.length && !hasObjects)) return [one];
  return entries.flatMap(([name, value]): JsonValue[] =>
    isList(name, value)
      ? value.map((each, at) => ({
          value: each,
          place: `${place}, item ${at + 1} of ${name}`,
          list: `${name} of ${place}`,
        }))
      : [{ value: { [name]: value }, place: `"${name}" of ${place}` }],
  );
}
