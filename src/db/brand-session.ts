import { InvalidKey, ReadOnlyKey } from '../errors.ts';
import { withRetries } from './retry.ts';
import type { BoundStatement, KeyedSelect, Row } from './statement.ts';
import { bindings, EARLIER_TRIES, KEY_HASH, keyLookup } from './statement.ts';

/** What a request may do: `write` needs a key of that scope. */
export type Access = 'read' | 'write';

/** What D1 bills: rows scanned and written, indexes included. And the round trips, which cost time. */
export interface SessionCost {
  d1Calls: number;
  rowsRead: number;
  rowsWritten: number;
}

/** What a call to D1 gave. */
export interface Results {
  /** The rows of each statement before the last. */
  readonly rows: readonly (readonly Row[])[];
  /** The first row of the last, which includes the key. */
  readonly last: Row;
  /** All rows of the last. */
  readonly lastRows: readonly Row[];
}

/**
 * The only door to D1: what one request does there, on behalf of the brand of its key.
 * Each call to `run` is one round trip and one transaction, which checks the key and does the work together:
 * no key is cached, and there is no gap between check and use.
 */
export class BrandSession {
  readonly #database: D1Database;
  #db: D1DatabaseSession;
  readonly #keyHash: string;
  readonly #access: Access;
  #brandId: string | undefined;
  readonly #cost: SessionCost = { d1Calls: 0, rowsRead: 0, rowsWritten: 0 };

  /**
   * @param db the database
   * @param keyHash SHA-256 of the request's key
   * @param access what the request's method needs
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

  /** Whether D1 was asked, and with it whether the key is live. */
  get hasAsked(): boolean {
    return this.#cost.d1Calls > 0;
  }

  /** How fresh D1's last answer was; null before there was one. */
  get bookmark(): string | null {
    return this.#db.getBookmark();
  }

  /**
   * Lets the reads of a request that only reads go to the nearest copy of the database that is at least as fresh as the bookmark.
   * Without this they go to the primary, which is always current.
   */
  startAt(bookmark: string): void {
    if (this.#access === 'read') this.#db = this.#database.withSession(bookmark);
  }

  /** What the request has cost in D1 so far, as D1 counts it. */
  get cost(): Readonly<SessionCost> {
    return this.#cost;
  }

  /**
   * Runs statements as one transaction in one call to D1.
   *
   * They name the brand by `readableBrand` or `writableBrand`, and in the last by `keyBrand`, so that with a key that is not
   * live they touch nothing. If several statements write, the first decides, and the others follow what it wrote: SQLite's
   * `now` is fixed within a statement only, and a key that expires between two of them must not end the work half-way.
   * The call is retried after transient failures, so the statements must be idempotent.
   * @param last runs last, and looks the key up
   * @throws InvalidKey, ReadOnlyKey, Unavailable
   */
  async run(
    work: readonly BoundStatement[],
    last: BoundStatement<KeyedSelect> = keyLookup,
  ): Promise<Results> {
    const rows = await this.#batch([...work, last]);
    const lastRows = rows.pop() ?? [];
    const [row] = lastRows;
    if (row === undefined) throw new InvalidKey();
    this.#brandId = String(row['brand_id']);
    const mayWrite = row['scope'] === 'write' || row['has_written'] === 1;
    if (this.#access === 'write' && !mayWrite) throw new ReadOnlyKey();
    return { rows, last: row, lastRows };
  }

  /**
   * Checks the key and nothing else.
   * @throws InvalidKey, ReadOnlyKey, Unavailable
   */
  async authenticate(): Promise<void> {
    await this.run([]);
  }

  async #batch(work: readonly BoundStatement[]): Promise<(readonly Row[])[]> {
    const results = await withRetries((earlierTries) => {
      this.#cost.d1Calls++;
      const session = { [KEY_HASH]: this.#keyHash, [EARLIER_TRIES]: earlierTries };
      return this.#db.batch<Row>(
        work.map((bound) =>
          this.#db.prepare(bound.statement.text).bind(...bindings(bound, session)),
        ),
      );
    });
    for (const { meta } of results) {
      this.#cost.rowsRead += meta.rows_read;
      this.#cost.rowsWritten += meta.rows_written;
    }
    return results.map(({ results }) => results);
  }
}
