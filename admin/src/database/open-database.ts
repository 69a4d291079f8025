import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type { SqlValue } from '../../../src/operator.ts';
import { bindingOf } from '../../../src/operator.ts';
import { explainedFailure } from './failures.ts';

/** A row as D1 returns it, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** The rows of statements. Those of `sql<R>` have the type `R`. */
export type Rows<R extends readonly unknown[]> = {
  readonly [K in keyof R]: readonly (unknown extends R[K] ? Row : R[K])[];
};

/** The rows of statements, and the size of the database in bytes. */
export interface Measurement {
  readonly results: readonly (readonly Row[])[];
  readonly bytes: number;
}

/** Runs statements in one transaction. It may retry if the database was busy, so the statements must be idempotent. */
export type StatementRunner = (...statements: readonly SQL[]) => Promise<Measurement>;

/** A database as the commands use it. */
export class OpenDatabase {
  /** Runs statements, and also returns the size of the database. */
  readonly measure: StatementRunner;
  /** The operator's name in the audit trail. */
  readonly actor: string;
  /** Its number, which new keys carry. */
  readonly number: number;
  /** Whether there are further databases, so that a brand may be at home in another one. */
  hasPeers = false;

  constructor(measure: StatementRunner, actor: string, number: number) {
    this.measure = measure;
    this.actor = actor;
    this.number = number;
  }

  /** Runs statements likewise, and returns the rows of each. */
  async run<R extends readonly unknown[]>(
    ...statements: { readonly [K in keyof R]: SQL<R[K]> }
  ): Promise<Rows<R>> {
    return typed<R>((await this.measure(...statements)).results);
  }
}

/** D1 returns the columns that each statement names, whose type the statement carries. */
function typed<R extends readonly unknown[]>(results: Measurement['results']): Rows<R> {
  const rows: unknown = results;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return rows as Rows<R>;
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns a text in UTF-8 as hexadecimal digits, two per byte. */
export function hexadecimal(text: string): string {
  let digits = '';
  for (const byte of new TextEncoder().encode(text)) digits += DIGITS[byte] ?? '';
  return digits;
}

/** SQLite's dialect, but with every string in hexadecimal. */
class HexadecimalTexts extends SQLiteSyncDialect {
  override escapeString(text: string): string {
    return `cast(x'${hexadecimal(text)}' as text)`;
  }
}

const hexadecimalTexts = new HexadecimalTexts();

/**
 * Returns a statement as text with its values inlined, the one form that every way to D1 accepts. Strings are in
 * hexadecimal, because `wrangler d1 execute` splits and changes statements by their text, even by a `COMMIT;` inside a
 * quoted string.
 */
export function inline(statement: SQL): string {
  return hexadecimalTexts.sqlToQuery(statement.inlineParams()).sql;
}

/** The methods that are needed here. Both the Worker's D1 type and Miniflare's copy of it have them. */
type D1Methods = Pick<D1Database, 'prepare' | 'batch'>;

/**
 * Runs statements on a database that this process has opened.
 * @throws what D1 throws
 */
export async function batchOn(d1: D1Methods, statements: readonly SQL[]): Promise<Measurement> {
  const prepared = statements.map((statement) => d1.prepare(inline(statement)));
  const results = await d1.batch<Row>(prepared);
  return {
    // Used once more, so that they are held until here: of a local database, Miniflare frees what is garbage in this process,
    // which may overtake the call.
    results: prepared.map((_, index) => results[index]?.results ?? []),
    bytes: results.at(-1)?.meta.size_after ?? 0,
  };
}

/** Returns a database that this process has opened. */
export function databaseOn(d1: D1Methods, actor: string, number = 0): OpenDatabase {
  const measure: StatementRunner = (...statements) =>
    batchOn(d1, statements).catch((error: unknown) => {
      throw explainedFailure(error, bindingOf(number));
    });
  return new OpenDatabase(measure, actor, number);
}
