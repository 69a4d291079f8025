import type { Statement } from './statement.ts';

/**
 * The maximum number of statements in a cache: far more than clients use, and it bounds what an attacker can request.
 */
const MAX_STATEMENTS = 200;

/**
 * Caches statements whose text depends on a list of names, such as the columns of a PATCH. A client that patches prices
 * uses the same statement every time.
 * @param make builds the statement for a list of names
 */
export function statementCache<S extends Statement>(
  make: (names: readonly string[]) => S,
): (names: readonly string[]) => S {
  const made = new Map<string, S>();
  return (names) => {
    const key = names.join();
    const known = made.get(key);
    if (known) return known;
    if (made.size >= MAX_STATEMENTS) made.clear();
    const statement = make(names);
    made.set(key, statement);
    return statement;
  };
}
