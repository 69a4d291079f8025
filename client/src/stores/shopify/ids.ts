import type { JsonObject } from '../json-values.ts';
import { textOf } from '../json-values.ts';

const GID = /^gid:\/\/shopify\/(\w+)\/(\d+)(?:\?.*)?$/;

/** Returns the type in an id such as `gid://shopify/Product/1`; undefined if it is none. */
export function typeIn(id: unknown): string | undefined {
  return typeof id === 'string' ? GID.exec(id)?.[1] : undefined;
}

/** Returns the type of an object, by its id or its own word. */
export function typeOf({ id, __typename: type }: JsonObject): string | undefined {
  return typeIn(id) ?? textOf(type);
}

/** Returns the digits in such an id, or the text as it is; empty for another value. */
export function numberOfId(id: unknown): string {
  const text = textOf(id) ?? '';
  return GID.exec(text)?.[2] ?? text;
}

const NOUNS: ReadonlyMap<unknown, string> = new Map([
  ['Product', 'product'],
  ['ProductVariant', 'variant'],
  ['DiscountNode', 'discount'],
  ['DiscountCodeNode', 'discount'],
  ['DiscountRedeemCode', 'code'],
]);

/** How an object is called in a report, if there is no line to name. */
export function placeOf(id: unknown): string {
  return `${NOUNS.get(typeIn(id)) ?? 'object'} ${numberOfId(id)}`;
}
