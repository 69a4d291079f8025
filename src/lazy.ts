/**
 * Creates a value on first use and caches it, to keep the Worker's start-up fast.
 * @throws any error of `make`, which then runs again on the next use
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
