import { InvalidKey, ReadOnlyKey } from '../errors.ts';
import { withRetries } from './retry.ts';
import type { Answer, BoundStatement, Row } from './statement.ts';
import { bindings, keyLookup } from './statement.ts';

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
  /** The row of the last. */
  readonly answer: Row;
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
  #mayHaveRunBefore = false;
  #refusal: Error | undefined;
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

  /** Has `run` throw this error in place of doing anything. */
  refuse(error: Error): void {
    this.#refusal = error;
  }

  /** Whether an earlier try of the last call, whose answer was lost, may have taken effect. */
  get mayHaveRunBefore(): boolean {
    return this.#mayHaveRunBefore;
  }

  /** What the request has cost in D1 so far, as D1 counts it. */
  get cost(): Readonly<SessionCost> {
    return this.#cost;
  }

  /**
   * Runs statements as one transaction in one call to D1.
   * They name the brand by `readingBrand` or `writingBrand`, and in the answer `keyBrand`, only, so that with a key that is not live they touch nothing.
   * The call is made again after a passing failure, so they must come to the same when they run twice.
   * @param answer runs last, and tells of the key too
   * @throws InvalidKey, ReadOnlyKey, Unavailable
   */
  async run(
    work: readonly BoundStatement[],
    answer: BoundStatement<Answer> = keyLookup,
  ): Promise<Results> {
    if (this.#refusal !== undefined) throw this.#refusal;
    return this.#runWithKey(work, answer);
  }

  /**
   * Checks the key and nothing else.
   * @throws InvalidKey, ReadOnlyKey, Unavailable
   */
  async authenticate(): Promise<void> {
    await this.#runWithKey([], keyLookup);
  }

  async #runWithKey(
    work: readonly BoundStatement[],
    last: BoundStatement<Answer>,
  ): Promise<Results> {
    // Last: a key that is live here was so in every statement before. One may expire between two of them.
    const rows = await this.#batch([...work, last]);
    const [answer] = rows.pop() ?? [];
    if (answer === undefined) throw new InvalidKey();
    this.#brandId = String(answer['brand_id']);
    if (this.#access === 'write' && answer['scope'] !== 'write') throw new ReadOnlyKey();
    return { rows, answer };
  }

  async #batch(work: readonly BoundStatement[]): Promise<(readonly Row[])[]> {
    const results = await withRetries((isRepeat) => {
      this.#mayHaveRunBefore = isRepeat;
      this.#cost.d1Calls++;
      return this.#db.batch<Row>(
        work.map((bound) =>
          this.#db.prepare(bound.statement.text).bind(...bindings(bound, this.#keyHash)),
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
