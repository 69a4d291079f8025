import type { JsonObject, PlacedObject } from '../json-values.ts';
import { isJsonObject, writtenOf } from '../json-values.ts';
import type { Omission } from '../source.ts';

/** Whether an object is a variation. Older stores leave its type out, and a product has no parent. */
export function isVariation({ type, parent_id: parent }: JsonObject): boolean {
  return type === 'variation' || (!isWord(type) && Number(parent) > 0);
}

export function isCoupon(object: JsonObject): boolean {
  return 'discount_type' in object && 'code' in object;
}

/** Returns an entry with what to call it: `product 12`. @param place where it is, if it has no id */
export function placed(object: JsonObject, place = ''): PlacedObject {
  const id = writtenOf(object['id']);
  const noun = isCoupon(object) ? 'coupon' : isVariation(object) ? 'variation' : 'product';
  if (id !== '') return { place: `${noun} ${id}`, object };
  return { place: place === '' ? `a ${noun} without an id` : place, object };
}

/** Returns why something of a type cannot be taken: the service cannot hold it, or nobody can read the type. */
export function obstacleOfType(type: unknown): Omission {
  return isWord(type)
    ? { reason: `its type is "${type}"`, kind: 'unsupported' }
    : { reason: 'it has no type that can be read' };
}

function isWord(type: unknown): type is string {
  return typeof type === 'string' && type.trim() !== '';
}

/**
 * Returns the elements of a list. PHP writes one whose numbers have gaps as an object, such as `{"0":27,"2":28}`, as it is if a
 * plugin removed some.
 * @returns undefined if the value is no list
 */
export function phpList(value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  const hasNumbersAlone = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
  return Array.isArray(value) || hasNumbersAlone ? Object.values<unknown>(value) : undefined;
}
