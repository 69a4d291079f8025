/**
 * Creates a value on first use and caches it, to keep the Worker's start-up fast.
 * @throws any error of `make`, which then runs again on the next use
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The maximum number of values in a cache: far more than clients use, and it bounds what an attacker can request. */
const MOST = 200;

/**
 * Creates a value for each key on first use and caches it: for example the statement for the columns of a PATCH, as a
 * client that patches prices uses the same one every time.
 * @param textOf returns the text by which a key is known
 */
export function cached<K, T extends object>(
  make: (key: K) => T,
  textOf: (key: K) => string = String,
): (key: K) => T {
  const made = new Map<string, T>();
  return (key) => {
    const text = textOf(key);
    let value = made.get(text);
    if (value === undefined) {
      if (made.size >= MOST) made.clear();
      value = make(key);
      made.set(text, value);
    }
    return value;
  };
}
