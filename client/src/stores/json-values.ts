import type { StoreContent } from './store-product.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A value of a JSON file, and where it is. */
export interface JsonValue {
  /**
   * An element of a list, a line of NDJSON, or a document that is no list, such as `{ "products": [ … ] }`. Undefined for a line
   * that is not valid JSON.
   */
  readonly value: unknown;
  /** `item 5`, `line 3` or `document 1`, from 1. In a list of its own, a reader counts by itself: `product 4711`. */
  readonly place: string;
}

/**
 * Reads the values of a JSON file as those of a platform, which it recognizes by their content: in any order of values and of
 * members. Several lists of one file come one after the other.
 * @returns undefined if they are not the platform's
 * @throws Failure if they are, but in a form that is not one of products or discounts: it names the form, and what to use
 */
export type JsonReader = (values: readonly JsonValue[]) => StoreContent | undefined;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
