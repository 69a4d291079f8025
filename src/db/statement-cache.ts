import type { Statement } from './statement.ts';

/** How many texts of one kind are kept: far more than clients use, far fewer than an attacker could ask for. */
const MAX_STATEMENTS = 200;

/**
 * Keeps statements whose text depends on something small, the columns that a PATCH names say: a client that patches
 * prices sends the same one again and again.
 * @param make makes the statement for a list of names
 */
export function statementCache(
  make: (names: readonly string[]) => Statement,
): (names: readonly string[]) => Statement {
  const made = new Map<string, Statement>();
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
