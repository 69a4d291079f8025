import { BrandSuspended, InvalidKey, ReadOnlyKey, Unavailable } from '../errors.ts';
import { withRetries } from './d1-failure.ts';
import type { Databases } from './databases.ts';
import { bindingOf } from './databases.ts';
import type { Access, KeyRow } from './key.ts';
import { lookUpKey } from './key.ts';
import type { BoundStatement } from './statement.ts';

/** The statements of a call, by names of the caller's, in their order. Those that are undefined are left out. */
type Work = Readonly<Record<string, BoundStatement | undefined>>;

/** The rows of each statement; none of one that was left out. */
type RowsOf<W extends Work> = {
  readonly [K in keyof W]: NonNullable<W[K]> extends BoundStatement<infer R> ? readonly R[] : never;
};

/** The rows of a call to D1. */
interface Results<W extends Work, R extends KeyRow> {
  readonly rows: RowsOf<W>;
  /** The rows of the statement that looks the key up: at least one. */
  readonly keyed: readonly [R, ...R[]];
}

/** How often a request follows its brand to another database. */
const MOST_MOVES = 2;

/**
 * The only access to D1: runs a request's statements on behalf of its key's brand. Each call to `run` is one round trip
 * and one transaction, which checks the key and does the work. No key is cached, and no time passes between check and
 * use.
 *
 * If the brand has moved to another database, the key's row says so, and the call has done nothing: it is repeated there, and
 * so are the request's further calls.
 */
export class BrandSession {
  /** The brand of the key; undefined until D1 has accepted it. */
  brandId: string | undefined;
  /** What the request has cost so far: its calls to D1, and the rows that D1 bills, including those of indexes. */
  readonly cost = { d1Calls: 0, rowsRead: 0, rowsWritten: 0 };
  readonly #databases: Databases;
  /** The numbers of the databases of the brand, from the one that the key names to the one in use. */
  readonly #way: number[];
  /** In the database that the key names, which each request asks first. */
  #first: D1DatabaseSession;
  #db: D1DatabaseSession;
  readonly #keyHash: string;
  readonly #access: Access;
  readonly #bookmark: () => string | undefined;

  /**
   * @param database the number of the database that the request's key names
   * @param keyHash SHA-256 of the request's key
   * @param access the access that the request's method needs
   * @param bookmark reads the client's bookmark of that database, when the first statements run. Reads may then go to the
   * nearest replica that is at least as fresh. Without one, reads go to the primary, which is always current.
   * @throws InvalidKey if there is no such database
   */
  constructor(
    databases: Databases,
    database: number,
    keyHash: string,
    access: Access,
    bookmark: () => string | undefined,
  ) {
    if (databases[bindingOf(database)] === undefined) throw new InvalidKey();
    this.#databases = databases;
    this.#first = this.#db = this.#open(database);
    this.#way = [database];
    this.#keyHash = keyHash;
    this.#access = access;
    this.#bookmark = bookmark;
  }

  /** The number of the database in use. */
  get database(): number {
    return this.#way.at(-1) ?? 0;
  }

  /** Whether D1 was called: each call checks the key. */
  get hasCheckedKey(): boolean {
    return this.cost.d1Calls > 0;
  }

  /**
   * The bookmark of the last response of the database that the key names; null before the first. If the brand has moved, a
   * read with this bookmark finds that there, however far a replica lags behind.
   */
  get bookmark(): string | null {
    return this.#first.getBookmark();
  }

  /**
   * Runs statements as one transaction in one call to D1.
   *
   * Statements take the brand from `keyBrand`, so they match no rows if the key may not do that. A call whose answer is
   * lost is repeated only if it reads, or the caller says so.
   *
   * Example: `run({ update: update({ id }) }, read({ id }))` returns the row of `read` in `keyed[0]`.
   * @param work the statements, by any names
   * @param keyed the last statement, a `selectWithKey`, which looks the key up and reads the outcome
   * @param isRepeatable whether repeating the write has no other effect
   * @throws InvalidKey, BrandSuspended, ReadOnlyKey, Unavailable; InvalidRequest if the bookmark is malformed
   */
  async run<W extends Work, R extends KeyRow>(
    work: W,
    keyed: BoundStatement<R>,
    isRepeatable = this.#access === 'read',
  ): Promise<Results<W, R>> {
    const bookmark = this.#bookmark();
    // A write goes to the primary in any case.
    if (bookmark !== undefined && this.#access === 'read' && !this.hasCheckedKey) {
      this.#first = this.#db = this.#open(this.database, bookmark);
    }
    return this.#call(work, keyed, isRepeatable);
  }

  /** Reads rows in one call to D1, as `run` does. */
  async read<R>(select: BoundStatement<R>): Promise<readonly R[]> {
    const { rows } = await this.run({ select }, lookUpKey({}), true);
    return rows.select;
  }

  /** Checks the key and nothing else, not even the bookmark. */
  async authenticate(): Promise<void> {
    await this.#call({}, lookUpKey({}), true);
  }

  async #call<W extends Work, R extends KeyRow>(
    work: W,
    keyed: BoundStatement<R>,
    isRepeatable: boolean,
  ): Promise<Results<W, R>> {
    const results = await withRetries(isRepeatable, () => this.#batch(work, keyed));
    const [row, ...more] = rowsOf(keyed, results.keyed);
    if (row !== undefined && row.keyMovedTo !== null) {
      this.#follow(row.keyMovedTo);
      return this.#call(work, keyed, isRepeatable);
    }
    // A key may be revoked or expire between two calls of a request.
    this.brandId = row?.keyBrandId ?? undefined;
    if (row === undefined) throw new InvalidKey();
    if (row.keySuspendedAt !== null) throw new BrandSuspended();
    if (this.#access === 'write') {
      if (row.keyScope !== 'write') throw new ReadOnlyKey();
      if (row.keyFrozenAt !== null) throw new Unavailable();
    }
    return { rows: allRowsOf<W>(results.rows), keyed: [row, ...more] };
  }

  /** Makes one call, and returns the rows, by the names of the statements. */
  async #batch(
    work: Work,
    keyed: BoundStatement,
  ): Promise<{ readonly rows: Record<string, unknown[]>; readonly keyed: unknown[] }> {
    this.cost.d1Calls++;
    const [now, tryId] = [new Date().toISOString(), crypto.randomUUID()];
    const prepare = ({ text, parameters }: BoundStatement): D1PreparedStatement =>
      this.#db.prepare(text).bind(...parameters({ keyHash: this.#keyHash, now, tryId }));
    const statements = Object.values(work).flatMap((statement) => statement ?? []);
    const results = await this.#db.batch([...statements, keyed].map(prepare));
    for (const { meta } of results) {
      this.cost.rowsRead += meta.rows_read;
      this.cost.rowsWritten += meta.rows_written;
    }
    const lists = results.map((result) => result.results);
    const rows: Record<string, unknown[]> = {};
    for (const [name, statement] of Object.entries(work)) {
      rows[name] = (statement && lists.shift()) ?? [];
    }
    return { rows, keyed: lists.shift() ?? [] };
  }

  /**
   * Goes on in the database to which the brand has moved.
   * @throws Unavailable if that was asked before, as for a moment at the end of a move, or if the brand moves too often
   */
  #follow(database: number): void {
    if (this.#way.length > MOST_MOVES || this.#way.includes(database)) throw new Unavailable();
    this.#db = this.#open(database);
    this.#way.push(database);
  }

  /** @param bookmark how fresh the reads must be at least */
  #open(database: number, bookmark = 'first-primary'): D1DatabaseSession {
    const name = bindingOf(database);
    const binding = this.#databases[name];
    if (!binding) throw new Unavailable({ cause: new Error(`There is no binding ${name}.`) });
    return binding.withSession(bookmark);
  }
}

/** D1 answers with the rows of each statement, whose type the statement carries. */
function rowsOf<R>(_: BoundStatement<R>, rows: unknown[]): readonly R[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return rows as readonly R[];
}

/** The same for all statements of a call. */
function allRowsOf<W extends Work>(rows: Record<string, unknown[]>): RowsOf<W> {
  const all: unknown = rows;
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return all as RowsOf<W>;
}
