// Brands are spread over databases. Each has a number: the binding `DB` is number 0, and `DB_1`, `DB_2` and so on are the
// others.

/** The name of a database's binding. */
export type DatabaseBinding = 'DB' | `DB_${number}`;

export interface DatabaseBindings {
  readonly DB: D1Database;
  /** Further databases, if brands are spread over several. */
  readonly [further: Exclude<DatabaseBinding, 'DB'>]: D1Database | undefined;
}

/** Returns the name of the binding of the database with this number. */
export function bindingOf(number: number): DatabaseBinding {
  return number === 0 ? 'DB' : `DB_${number}`;
}

/** Returns the numbers of the databases among names of bindings. */
export function numbersIn(bindings: readonly string[]): number[] {
  return bindings.flatMap((name) => {
    const [found, number = 0] = /^DB(?:_([1-9]\d{0,3}))?$/.exec(name) ?? [];
    return found === undefined ? [] : Number(number);
  });
}
