// JSON whose type nobody has checked.

/**
 * Returns a body with the type that the OpenAPI document declares. The service's tests validate every response against
 * that document, so the client checks only that the parts it needs are there, which keeps it small.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
export function declared<T>(body: unknown): T {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return body as T;
}

/** Returns what a text means as JSON; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a value as JSON.
 * @throws TypeError with its name, if it has none, such as a BigInt or a function
 */
export function jsonText(value: unknown, name: string): string {
  try {
    const text: unknown = JSON.stringify(value);
    if (typeof text === 'string') return text;
  } catch (cause) {
    throw new TypeError(`Expected ${name} to be JSON: ${String(cause)}`, { cause });
  }
  throw new TypeError(`Expected ${name} to be JSON.`);
}

/** Returns a member of an object; undefined if it has none of its own: every object has a `__proto__`. */
export function memberOf(object: unknown, name: string): unknown {
  const isObject = typeof object === 'object' && object !== null;
  return isObject && Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}
