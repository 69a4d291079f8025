import { hexadecimal } from '../../../src/hash.ts';

/** The maximum length of a statement in bytes: D1 refuses one above 100,000. */
export const LONGEST = 99_000;

/** The maximum number of hexadecimal digits in a statement that inserts a piece. */
const DIGITS_AT_ONCE = 80_000;

/** A value as SQL. A text has its hexadecimal digits too. */
export interface Literal {
  readonly sql: string;
  readonly hex?: string;
}

/**
 * Returns a value of a row as SQL. Texts are in hexadecimal, because `wrangler d1 execute` changes what it finds in a
 * quoted one.
 */
export function literalOf(value: unknown): Literal {
  if (typeof value === 'string') {
    const hex = hexadecimal(new TextEncoder().encode(value));
    return { sql: textOf(`x'${hex}'`), hex };
  }
  if (typeof value !== 'number') return { sql: 'NULL' };
  // An integer fits every column of numbers; a real would not fit one of integers.
  return { sql: String(Number.isInteger(value) ? BigInt(value) : value) };
}

/** Returns the SQL of a blob as one that has the type text. */
function textOf(blob: string): string {
  return `cast(${blob} as text)`;
}

/** A table for the pieces of long values. */
export class Pieces {
  readonly #name: string;
  #isCreated = false;

  /** @param name that no other table has */
  constructor(name: string) {
    this.#name = name;
  }

  /** Yields the statements that store a text in pieces, and returns the SQL that puts it together again. */
  *store(value: number, hex: string): Generator<string, string> {
    if (!this.#isCreated) yield `CREATE TABLE ${this.#name} (value, place, piece)`;
    this.#isCreated = true;
    for (let place = 0; place < hex.length; place += DIGITS_AT_ONCE) {
      const digits = hex.slice(place, place + DIGITS_AT_ONCE);
      yield `INSERT INTO ${this.#name} VALUES(${value},${place},x'${digits}')`;
    }
    const whole = `group_concat(piece, '' ORDER BY place)`;
    const sql = textOf(`cast(${whole} as blob)`);
    return `(SELECT ${sql} FROM ${this.#name} WHERE value = ${value})`;
  }

  /** The statements that forget all values. */
  *clear(): Generator<string> {
    if (this.#isCreated) yield `DELETE FROM ${this.#name}`;
  }

  /** The statements after which nothing is left of it. */
  *drop(): Generator<string> {
    if (this.#isCreated) yield `DROP TABLE ${this.#name}`;
  }
}

/** Returns the values of a row as SQL. */
export function rowOf(literals: readonly Literal[]): string {
  return `(${literals.map(({ sql }) => sql).join(',')})`;
}

/**
 * Yields the statements that insert a row that is too long for one: its longest values are stored in pieces before.
 * @param head what comes before the values
 * @param tail what follows them
 */
export function* insertLong(
  head: string,
  literals: readonly Literal[],
  tail: string,
  pieces: Pieces,
): Generator<string> {
  const shortened = [...literals];
  const byLength = [...literals.entries()].sort(
    ([, one], [, other]) => other.sql.length - one.sql.length,
  );
  const statement = (): string => head + rowOf(shortened) + tail;
  for (const [index, { hex }] of byLength) {
    // Names of columns and digits are ASCII.
    if (statement().length <= LONGEST || hex === undefined) break;
    shortened[index] = { sql: yield* pieces.store(index, hex) };
  }
  yield statement();
  yield* pieces.clear();
}
