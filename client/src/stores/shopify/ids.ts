const GID = /^gid:\/\/shopify\/(\w+)\/(\d+)(?:\?.*)?$/;

/** Returns the type in an id such as `gid://shopify/Product/1`; undefined if it is none. */
export function typeIn(id: unknown): string | undefined {
  return typeof id === 'string' ? GID.exec(id)?.[1] : undefined;
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

/** Whether an id is one that Shopify gave to something of this type. */
export function isIdOf(type: string, id: unknown): id is string {
  return typeIn(id) === type;
}
