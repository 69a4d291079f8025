/**
 * Makes a value where it is first asked for, once. What a Worker is never asked for then costs its start nothing.
 * @throws whatever making it throws, each time it is asked for
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
