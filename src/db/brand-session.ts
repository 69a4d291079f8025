import type { ServiceError } from '../errors.ts';
import { BrandSuspended, InvalidKey, ReadOnlyKey, Unavailable } from '../errors.ts';
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

/**
 * The only access to D1: runs a request's statements on behalf of its key's brand. Each call to `run` is one round trip
 * and one transaction, which checks the key and does the work. No key is cached, and no time passes between check and
 * use.
 */
export class BrandSession {
  readonly #database: D1Database;
  #db: D1DatabaseSession;
  readonly #keyHash: string;
  readonly #access: Access;
  #brandId: string | undefined;
  /** The cost of the request in D1 so far, as D1 counts it. */
  readonly cost: SessionCost = { d1Calls: 0, rowsRead: 0, rowsWritten: 0 };

  /**
   * @param db the database
   * @param keyHash SHA-256 of the request's key
   * @param access the access that the request's method needs
   */
  constructor(db: D1Database, keyHash: string, access: Access) {
    this.#database = db;
    this.#db = db.withSession('first-primary');
    this.#keyHash = keyHash;
    this.#access = access;
  }

  /** The brand of the key; undefined until D1 has accepted it. */
  get brandId(): string | undefined {
    return this.#brandId;
  }

  /** Whether D1 was called: each call checks the key. */
  get hasCheckedKey(): boolean {
    return this.cost.d1Calls > 0;
  }

  /** The bookmark of D1's last response; null before the first. */
  get bookmark(): string | null {
    return this.#db.getBookmark();
  }

  /**
   * Sends the reads of a read-only request to the nearest replica that is at least as fresh as the bookmark. Without
   * this they go to the primary, which is always current.
   */
  startAt(bookmark: string): void {
    if (this.#access === 'read') this.#db = this.#database.withSession(bookmark);
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
    const calls = this.cost.d1Calls;
    const rows = await this.#batch([...statements, keyed], isIdempotent);
    const isRetry =
      statements.length > 0 && this.#access === 'write' && this.cost.d1Calls > calls + 1;
    const unlessRetried = (error: ServiceError): ServiceError =>
      isRetry ? new Unavailable() : error;
    const keyRows = rows.pop() ?? [];
    const [keyRow] = keyRows;
    // A key may be revoked or expire between two calls of a request.
    this.#brandId = keyRow && String(keyRow['brand_id']);
    if (keyRow === undefined) throw unlessRetried(new InvalidKey());
    if (!keyRow['has_written']) {
      if (keyRow['suspended_at'] !== null) throw unlessRetried(new BrandSuspended());
      if (this.#access === 'write' && keyRow['scope'] !== 'write') {
        throw unlessRetried(new ReadOnlyKey());
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

  async #batch(
    work: readonly BoundStatement[],
    isIdempotent: boolean,
  ): Promise<(readonly Row[])[]> {
    const results = await withRetries(isIdempotent, (earlierTries) => {
      this.cost.d1Calls++;
      const session = { keyHash: this.#keyHash, earlierTries };
      return this.#db.batch<Row>(
        work.map((bound) =>
          this.#db.prepare(bound.statement.text).bind(...bindings(bound, session)),
        ),
      );
    });
    for (const { meta } of results) {
      this.cost.rowsRead += meta.rows_read;
      this.cost.rowsWritten += meta.rows_written;
    }
    return results.map(({ results }) => results);
  }
}
