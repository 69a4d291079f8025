/** A value as SQL. Texts and blobs have their hexadecimal digits too. */
export interface Literal {
  readonly sql: string;
  readonly hex?: string;
  readonly type: 'text' | 'blob' | undefined;
}

/** The value of a column, as SQL that `literalOf` understands: its type, and a text or a blob in hexadecimal. */
export function readable(column: string): string {
  return `typeof(${column}), case when typeof(${column}) in ('text', 'blob') then hex(${column}) else ${column} end`;
}

/**
 * Returns a value as SQL. Texts are in hexadecimal, because `wrangler d1 execute` changes what it finds in a quoted one.
 * @param type of the value in the database
 * @param value as `readable` selects it
 */
export function literalOf(type: unknown, value: unknown): Literal {
  if (typeof value === 'string' && (type === 'text' || type === 'blob')) {
    return { sql: typed(`x'${value}'`, type), hex: value, type };
  }
  if (typeof value === 'bigint') return { sql: String(value), type: undefined };
  return { sql: typeof value === 'number' ? real(value) : 'NULL', type: undefined };
}

/** Returns the SQL of a blob as one that has the type. */
export function typed(blob: string, type: Literal['type']): string {
  return type === 'text' ? `cast(${blob} as text)` : blob;
}

/** A real must not become an integer, and SQLite has no word for infinity. */
function real(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  const digits = String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}
