import type { DatabaseSync } from 'node:sqlite';
import type { Literal } from './literals.ts';
import { literalOf, readable, typed } from './literals.ts';

/** The maximum length of a statement in bytes: D1 refuses one above 100,000. */
const LONGEST = 99_000;

/** The maximum number of hexadecimal digits in a statement that inserts a piece. */
const DIGITS_AT_ONCE = 80_000;

/** A table for the pieces of long values. */
export class Pieces {
  readonly #name: string;
  #isCreated = false;

  /** @param name that no other table has */
  constructor(name: string) {
    this.#name = name;
  }

  /** Yields the statements that store a value in pieces, and returns the SQL that puts it together again. */
  *store(value: number, { hex = '', type }: Literal): Generator<string, string> {
    if (!this.#isCreated) yield `CREATE TABLE ${this.#name} (value, place, piece)`;
    this.#isCreated = true;
    for (let place = 0; place < hex.length; place += DIGITS_AT_ONCE) {
      const digits = hex.slice(place, place + DIGITS_AT_ONCE);
      yield `INSERT INTO ${this.#name} VALUES(${value},${place},x'${digits}')`;
    }
    const whole = `group_concat(piece, '' ORDER BY place)`;
    const sql = typed(`cast(${whole} as blob)`, type);
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

/** Yields the statements that insert the rows of a table. */
export function* insertsOf(
  database: DatabaseSync,
  table: string,
  pieces: Pieces,
): Generator<string> {
  const columns = database
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => quoted(String(name)));
  const select = database.prepare(
    `select ${columns.map(readable).join(', ')} from ${quoted(table)}`,
  );
  select.setReadBigInts(true);
  select.setReturnArrays(true);
  const head = `INSERT INTO ${quoted(table)} (${columns.join(',')}) VALUES`;
  for (const row of select.iterate()) {
    const values = Object.values(row);
    const literals = columns.map((_, index) => literalOf(values[2 * index], values[2 * index + 1]));
    yield* insertOf(head, literals, pieces);
  }
}

/**
 * Yields the statement that inserts a row; if it would be too long, its longest values are stored in pieces before.
 * @param tail what follows the values
 */
export function* insertOf(
  head: string,
  literals: readonly Literal[],
  pieces: Pieces,
  tail = '',
): Generator<string> {
  const values = literals.map(({ sql }) => sql);
  const byLength = [...literals.entries()].sort(
    ([, one], [, other]) => other.sql.length - one.sql.length,
  );
  const statement = (): string => `${head}(${values.join(',')})${tail}`;
  let isWhole = true;
  for (const [index, literal] of byLength) {
    if (bytesOf(statement()) <= LONGEST || literal.hex === undefined) break;
    values[index] = yield* pieces.store(index, literal);
    isWhole = false;
  }
  yield statement();
  if (!isWhole) yield* pieces.clear();
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Returns a name as SQL. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
