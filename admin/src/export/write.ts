import type { SQL } from 'drizzle-orm';
import { getTableName, sql } from 'drizzle-orm';
import { hexadecimal, inline } from '../database/open-database.ts';
import type { ExportedRow, Part } from './parts.ts';

/** The maximum length of a statement in bytes: D1 refuses one above 100,000. All of it is ASCII. */
const LONGEST = 99_000;

/** The length of the statements of a call. It is in memory several times. */
const LONGEST_CALL = 4_000_000;

/** A table for the pieces of values that are too long for a statement. It is there within the transaction of a call. */
const PIECES = 'pieces_of_inserted_values';

/** The maximum number of hexadecimal digits in a piece. */
const DIGITS_AT_ONCE = 80_000;

/** How rows of a brand are inserted. */
interface Insertion {
  readonly brandId: string;
  /** Returns the values of further columns of a row. */
  readonly moreOf?: (row: ExportedRow) => Readonly<Record<string, unknown>>;
  /** A condition without which nothing is inserted. */
  readonly condition?: SQL;
  /**
   * Returns the column whose value tells whether a row is there. It gets the new values then; by default, it stays as it
   * is.
   */
  readonly replacing?: (part: Part) => string;
}

/** The statements of a call, and how many rows they insert. */
interface InsertCall {
  readonly statements: readonly SQL[];
  readonly rows: number;
}

/** Groups the statements that insert rows into calls. Each may be repeated. */
export async function* insertCalls(
  rows: AsyncIterable<ExportedRow> | Iterable<ExportedRow>,
  insertion: Insertion,
): AsyncGenerator<InsertCall> {
  let call = new Call(insertion);
  for await (const row of rows) {
    call.add(row);
    if (call.length < LONGEST_CALL) continue;
    yield call.end();
    call = new Call(insertion);
  }
  if (call.length > 0) yield call.end();
}

/** Returns the statements that insert a row. They may be repeated, in one transaction. */
export function insertRow(row: ExportedRow, insertion: Insertion): readonly SQL[] {
  const call = new Call(insertion);
  call.add(row);
  return call.end().statements;
}

class Call {
  readonly #insertion: Insertion;
  readonly #statements: string[] = [];
  /** The last statement, while it takes further rows of the same table. */
  #open = { head: '', text: '', tail: '' };
  /** How many values are in pieces. */
  #inPieces = 0;
  #rows = 0;
  length = 0;

  constructor(insertion: Insertion) {
    this.#insertion = insertion;
  }

  add(exported: ExportedRow): void {
    const { head, literals, tail } = insertOf(exported, this.#insertion);
    const row = rowOf(literals);
    this.length += row.length;
    this.#rows += 1;
    const { head: openHead, text } = this.#open;
    if (head === openHead && text.length + row.length + tail.length < LONGEST) {
      this.#open.text += `,${row}`;
      return;
    }
    this.#close();
    const short = this.#shorten(literals, head.length + row.length + tail.length - LONGEST);
    this.#open = { head, text: head + short, tail };
  }

  end(): InsertCall {
    this.#close();
    if (this.#inPieces > 0) this.#statements.push(`DROP TABLE ${PIECES}`);
    return { statements: this.#statements.map((text) => sql.raw(text)), rows: this.#rows };
  }

  #close(): void {
    const { text, tail } = this.#open;
    if (text !== '') this.#statements.push(text + tail);
    this.#open = { head: '', text: '', tail: '' };
  }

  /** Returns a row as SQL that is shorter by at least this length: its longest texts are stored in pieces. */
  #shorten(literals: readonly string[], excess: number): string {
    const shortened = [...literals];
    let left = excess;
    const byLength = [...literals.entries()].sort(
      ([, one], [, other]) => other.length - one.length,
    );
    for (const [index, literal] of byLength) {
      if (left <= 0 || !literal.startsWith(TEXT_BEGINS)) break;
      const stored = this.#store(literal.slice(TEXT_BEGINS.length, -TEXT_ENDS.length));
      left -= literal.length - stored.length;
      shortened[index] = stored;
    }
    return rowOf(shortened);
  }

  /** Stores a text in pieces, and returns the SQL that puts it together again. */
  #store(hex: string): string {
    if (this.#inPieces === 0) {
      this.#statements.push(`CREATE TABLE ${PIECES} (value, place, piece)`);
    }
    const value = this.#inPieces++;
    for (let place = 0; place < hex.length; place += DIGITS_AT_ONCE) {
      const digits = hex.slice(place, place + DIGITS_AT_ONCE);
      this.#statements.push(`INSERT INTO ${PIECES} VALUES(${value},${place},x'${digits}')`);
    }
    const whole = `cast(group_concat(piece, '' ORDER BY place) as blob)`;
    return `(SELECT cast(${whole} as text) FROM ${PIECES} WHERE value = ${value})`;
  }
}

/** The values of a row, and the SQL before and after the rows of its table. */
interface Insert {
  readonly head: string;
  readonly literals: readonly string[];
  readonly tail: string;
}

function insertOf(
  exported: ExportedRow,
  { brandId, moreOf, condition, replacing }: Insertion,
): Insert {
  const { table, columns, owner, json } = exported.part;
  const row = new Map<string, unknown>([[owner.name, brandId]]);
  for (const [column, value] of Object.entries(moreOf?.(exported) ?? {})) row.set(column, value);
  for (const [member, column] of Object.entries(columns)) {
    const value = exported.values[member];
    const stored = member === json ? JSON.stringify(value) : value;
    row.set(column.name, stored === null ? null : column.mapToDriverValue(stored));
  }
  const names = [...row.keys()];
  const updates = names.map((name) => `${name}=excluded.${name}`);
  const conflict =
    replacing === undefined
      ? 'ON CONFLICT DO NOTHING'
      : `ON CONFLICT (${replacing(exported.part)}) DO UPDATE SET ${updates.join(',')}`;
  return {
    head: `INSERT INTO ${getTableName(table)} (${names.join(',')}) SELECT * FROM (VALUES`,
    literals: [...row.values()].map(literalOf),
    tail: `) WHERE ${condition === undefined ? 'true' : inline(condition)} ${conflict}`,
  };
}

function rowOf(literals: readonly string[]): string {
  return `(${literals.join(',')})`;
}

// Texts are in hexadecimal, because `wrangler d1 execute` changes what it finds in a quoted one.
const TEXT_BEGINS = "cast(x'";
const TEXT_ENDS = "' as text)";

function literalOf(value: unknown): string {
  if (typeof value === 'string') return TEXT_BEGINS + hexadecimal(value) + TEXT_ENDS;
  if (typeof value !== 'number') return 'NULL';
  // An integer fits every column of numbers; a real would not fit one of integers.
  return String(Number.isInteger(value) ? BigInt(value) : value);
}
