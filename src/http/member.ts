/** Whether a JSON value is an object or a list with a member of this name. */
export function hasMember(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

export function memberOf(value: unknown, name: string): unknown {
  return hasMember(value, name) ? Reflect.get(value, name) : undefined;
}
