import type { SQL } from 'drizzle-orm';
import { getTableName, sql } from 'drizzle-orm';
import { inline } from '../execute.ts';
import type { ExportedRow } from './file.ts';
import type { Literal } from './long-rows.ts';
import { insertLong, literalOf, LONGEST, Pieces, rowOf } from './long-rows.ts';
import type { Part } from './parts.ts';

/** The length of the statements of a call. It is in memory several times. */
const LONGEST_CALL = 4_000_000;

/** A table for the pieces of long values, within the transaction of a call. */
const PIECES = 'pieces_of_inserted_values';

/** How rows of a brand are inserted. */
export interface Insertion {
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
export interface InsertCall {
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
  readonly #pieces = new Pieces(PIECES);
  readonly #statements: string[] = [];
  /** The last statement, while it takes further rows of the same table. */
  #open = { head: '', text: '', tail: '' };
  #rows = 0;
  length = 0;

  constructor(insertion: Insertion) {
    this.#insertion = insertion;
  }

  add(exported: ExportedRow): void {
    const { head, literals, tail } = insertOf(exported, this.#insertion);
    const row = rowOf(literals);
    const { head: openHead, text } = this.#open;
    if (head === openHead && text.length + row.length + tail.length < LONGEST) {
      this.#open.text += `,${row}`;
    } else {
      this.#close();
      if (head.length + row.length + tail.length > LONGEST) {
        this.#statements.push(...insertLong(head, literals, tail, this.#pieces));
      } else this.#open = { head, text: head + row, tail };
    }
    this.length += row.length;
    this.#rows += 1;
  }

  end(): InsertCall {
    this.#close();
    const texts = [...this.#statements, ...this.#pieces.drop()];
    return { statements: texts.map((text) => sql.raw(text)), rows: this.#rows };
  }

  #close(): void {
    const { text, tail } = this.#open;
    if (text !== '') this.#statements.push(text + tail);
    this.#open = { head: '', text: '', tail: '' };
  }
}

/** The values of a row, and the SQL before and after the rows of its table. */
interface Insert {
  readonly head: string;
  readonly literals: readonly Literal[];
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
