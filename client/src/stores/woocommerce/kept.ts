import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { phpList } from './php-list.ts';

/**
 * Returns what is read of an entry: some of its fields, of images only the addresses, and of attributes names and values. What a
 * store gives besides would be held until all entries are read.
 */
export function keptOf(entry: JsonObject, fields: readonly string[]): JsonObject {
  const kept = fields
    .filter((field) => field in entry)
    .map((field): [string, unknown] => [field, keptPart(field, entry[field])]);
  return Object.fromEntries(kept);
}

function keptPart(field: string, value: unknown): unknown {
  if (field === 'image' && isJsonObject(value)) return imageOf(value);
  const element = ELEMENTS[field];
  const list = phpList(value);
  if (element === undefined || list === undefined) return plainValue(value);
  return list.map((one) => (isJsonObject(one) ? element(one) : plainValue(one)));
}

/** The fields that are lists, and what is read of each object in them. */
const ELEMENTS: Readonly<Partial<Record<string, (one: JsonObject) => JsonObject>>> = {
  images: imageOf,
  attributes: ({ id, name, variation, option }) => ({
    id: plainValue(id),
    name: plainValue(name),
    variation: plainValue(variation),
    option: plainValue(option),
  }),
  variations: ({ id }) => ({ id: plainValue(id) }),
};

function imageOf({ src }: JsonObject): JsonObject {
  return { src: plainValue(src) };
}

/** Returns a value; an empty object or list for one where nobody expects it. */
function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isJsonObject(value) ? {} : value;
}
