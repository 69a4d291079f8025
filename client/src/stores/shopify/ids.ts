import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';

const GID = /^gid:\/\/shopify\/(\w+)\/(\d+)(?:\?.*)?$/;

/** Returns the type in an id such as `gid://shopify/Product/1`; undefined if it is none. */
export function typeIn(id: unknown): string | undefined {
  return typeof id === 'string' ? GID.exec(id)?.[1] : undefined;
}

/** Returns the type of an object, by its id or its own word. */
export function typeOf({ id, __typename: type }: JsonObject): string | undefined {
  return typeIn(id) ?? textOf(type);
}

/** Returns the digits in such an id, or the value as it is. */
export function digitsIn(id: string): string {
  return GID.exec(id)?.[2] ?? id;
}

/** Returns the id that the GraphQL API has for a number of the REST API; undefined if the number is missing or not exact. */
export function gid(type: string, number: unknown): string | undefined {
  const isExact = typeof number === 'string' ? /^\d+$/.test(number) : Number.isSafeInteger(number);
  return isExact ? `gid://shopify/${type}/${String(number)}` : undefined;
}

const NOUNS: Readonly<Record<string, string>> = {
  Product: 'product',
  ProductVariant: 'variant',
  DiscountNode: 'discount',
  DiscountCodeNode: 'discount',
  DiscountRedeemCode: 'code',
};

/** How an object is called in a report, if there is no line to name. */
export function placeOf(id: string): string {
  return `${NOUNS[typeIn(id) ?? ''] ?? 'object'} ${digitsIn(id)}`;
}
