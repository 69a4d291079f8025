import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';

/**
 * Returns the elements of a list. PHP writes one whose numbers have gaps as an object, such as `{"0":27,"2":28}`, as it is if a
 * plugin removed some.
 * @returns undefined if the value is no list
 */
export function phpList(value: unknown): readonly unknown[] | undefined {
  if (isJsonObject(value)) return hasNumbersAlone(value) ? Object.values(value) : undefined;
  if (!Array.isArray(value)) return undefined;
  const list: readonly unknown[] = value;
  return list;
}

function hasNumbersAlone(object: JsonObject): boolean {
  const keys = Object.keys(object);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
}
