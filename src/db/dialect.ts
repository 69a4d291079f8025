import type { SQL } from 'drizzle-orm';

type Dialect = Parameters<SQL['toQuery']>[0];

/**
 * How SQLite writes names, parameters and strings, for drizzle's `toQuery`. drizzle's own `SQLiteAsyncDialect` does the
 * same, but includes query builders that nothing here uses: an eighth of the Worker.
 * @param numberOf returns the number of a parameter, from 1 on
 */
export function sqlite(numberOf: (parameter: unknown) => number): Dialect {
  return {
    casing: namesAsDeclared(),
    escapeName: (name) => `"${name.replaceAll('"', '""')}"`,
    escapeParam: (_, parameter) => `?${numberOf(parameter)}`,
    escapeString: (text) => `'${text.replaceAll("'", "''")}'`,
  };
}

/** Every column has the name that its table declares, so drizzle's cache of converted names is not needed. */
function namesAsDeclared(): Dialect['casing'] {
  const casing: Pick<Dialect['casing'], 'getColumnCasing'> = {
    getColumnCasing: (column) => column.name,
  };
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- drizzle calls this method only
  return casing as Dialect['casing'];
}
