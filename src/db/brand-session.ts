import type { ServiceError } from '../errors.ts';
import { BrandSuspended, InvalidKey, ReadOnlyKey, Unavailable } from '../errors.ts';
import type { Databases } from '../env.ts';
import { bindingOf } from './databases.ts';
import { withRetries } from './retry.ts';
import type { BoundStatement, KeyedSelect, Row } from './statement.ts';
import { bindings, keyLookup } from './statement.ts';

/** The access that a request needs: `write` requires a key with that scope. */
export type Access = 'read' | 'write';

/** The rows that D1 bills, read and written, including indexes; and the round trips, which cost time. */
export interface SessionCost {
  d1Calls: number;
  rowsRead: number;
  rowsWritten: number;
}

/** The results of a call to D1. */
export interface Results {
  /** The rows of each statement before the one that looks the key up. */
  readonly rows: readonly (readonly Row[])[];
  /** All rows of the statement that looks the key up. */
  readonly keyRows: readonly Row[];
  /** The first of them. */
  readonly keyRow: Row;
  /** Whether an earlier try of this write may have taken effect. */
  readonly isRetry: boolean;
  /**
   * Returns the error for a write that was refused; after a retry Unavailable. The earlier try may have written before
   * another client changed the resource, or before the key was revoked or expired. Nothing shows it then.
   */
  readonly unlessRetried: (error: ServiceError) => ServiceError;
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
  readonly #databases: Databases;
  /** The numbers of the databases that the brand has left. */
  readonly #left: number[] = [];
  #database: number;
  #binding: D1Database;
  #db: D1DatabaseSession;
  /** In the database that the key names, which each request asks first. */
  #first: D1DatabaseSession;
  readonly #keyHash: string;
  readonly #access: Access;
  #brandId: string | undefined;
  /** The cost of the request in D1 so far, as D1 counts it. */
  readonly cost: SessionCost = { d1Calls: 0, rowsRead: 0, rowsWritten: 0 };

  /**
   * @param database the number of the database that the request's key names
   * @param keyHash SHA-256 of the request's key
   * @param access the access that the request's method needs
   * @throws InvalidKey if there is no such database
   */
  constructor(databases: Databases, database: number, keyHash: string, access: Access) {
    const binding = databases[bindingOf(database)];
    if (binding === undefined) throw new InvalidKey();
    this.#databases = databases;
    this.#database = database;
    this.#binding = binding;
    this.#first = this.#db = binding.withSession('first-primary');
    this.#keyHash = keyHash;
    this.#access = access;
  }

  /** The brand of the key; undefined until D1 has accepted it. */
  get brandId(): string | undefined {
    return this.#brandId;
  }

  /** The number of the database in use. */
  get database(): number {
    return this.#database;
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
   * Sends the reads of a read-only request to the nearest replica that is at least as fresh as the bookmark. Without
   * this they go to the primary, which is always current.
   * @param bookmark of the database in use
   */
  startAt(bookmark: string): void {
    if (this.#access === 'read') this.#first = this.#db = this.#binding.withSession(bookmark);
  }

  /**
   * Runs statements as one transaction in one call to D1.
   *
   * Statements select the brand by `readableBrand` or `writableBrand`, and the one with the key by `keyBrand`, so that
   * they match no rows if the key is not live. If several statements write, the first checks the key, and the others
   * depend on what it wrote: SQLite's `now` is constant only within a statement, and a key that expires between two
   * statements must not leave the work half done.
   *
   * The call is retried after transient failures, so the statements must be idempotent.
   * @param statements the work
   * @param keyed the last statement, which looks the key up and reads the outcome
   * @param isIdempotent false if a repeat could not tell what the first try did: the client gets Unavailable instead
   * @throws InvalidKey, BrandSuspended, ReadOnlyKey, Unavailable
   */
  async run(
    statements: readonly BoundStatement[],
    keyed: BoundStatement<KeyedSelect> = keyLookup,
    isIdempotent = true,
  ): Promise<Results> {
    const { rows, earlierTries } = await this.#batch([...statements, keyed], isIdempotent);
    const isRetry = statements.length > 0 && this.#access === 'write' && earlierTries > 0;
    const unlessRetried = (error: ServiceError): ServiceError =>
      isRetry ? new Unavailable() : error;
    const keyRows = rows.pop() ?? [];
    const [keyRow] = keyRows;
    // A key may be revoked or expire between two calls of a request.
    this.#brandId = keyRow && String(keyRow['brand_id']);
    if (keyRow === undefined) throw unlessRetried(new InvalidKey());
    if (!keyRow['has_written']) {
      if (keyRow['suspended_at'] !== null) throw unlessRetried(new BrandSuspended());
      if (this.#access === 'write') {
        if (keyRow['scope'] !== 'write') throw unlessRetried(new ReadOnlyKey());
        // The last seconds of a move.
        if (keyRow['frozen_at'] !== null) throw new Unavailable();
      }
    }
    return { rows, keyRows, keyRow, isRetry, unlessRetried };
  }

  /**
   * Checks the key and nothing else.
   * @throws InvalidKey, BrandSuspended, ReadOnlyKey, Unavailable
   */
  async authenticate(): Promise<void> {
    await this.run([]);
  }

  /** Runs a call in the database that has the brand. */
  async #batch(
    work: readonly BoundStatement[],
    isIdempotent: boolean,
  ): Promise<{ readonly rows: (readonly Row[])[]; readonly earlierTries: number }> {
    return withRetries(isIdempotent, async (earlierTries) => {
      for (;;) {
        const rows = await this.#try(work, earlierTries);
        const movedTo = rows.at(-1)?.[0]?.['moved_to'] ?? null;
        if (movedTo === null) return { rows, earlierTries };
        // This try did nothing, so it does not count as an earlier one.
        this.#follow(Number(movedTo));
      }
    });
  }

  async #try(work: readonly BoundStatement[], earlierTries: number): Promise<(readonly Row[])[]> {
    this.cost.d1Calls++;
    const session = { keyHash: this.#keyHash, earlierTries };
    const results = await this.#db.batch<Row>(
      work.map((bound) => this.#db.prepare(bound.statement.text).bind(...bindings(bound, session))),
    );
    for (const { meta } of results) {
      this.cost.rowsRead += meta.rows_read;
      this.cost.rowsWritten += meta.rows_written;
    }
    return results.map(({ results }) => results);
  }

  /**
   * Goes on in the database to which the brand has moved.
   * @throws Unavailable if that was asked before, as for a moment at the end of a move, or if the brand moves too often
   */
  #follow(database: number): void {
    this.#left.push(this.#database);
    if (this.#left.length > MOST_MOVES || this.#left.includes(database)) throw new Unavailable();
    const name = bindingOf(database);
    const binding = this.#databases[name];
    if (!binding) throw new Unavailable({ cause: new Error(`There is no binding ${name}.`) });
    this.#database = database;
    this.#binding = binding;
    this.#db = binding.withSession('first-primary');
  }
}
