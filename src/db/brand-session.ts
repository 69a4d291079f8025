import { BrandSuspended, InvalidKey, ReadOnlyKey, Unavailable } from '../errors.ts';
import { withRetries } from './d1-failure.ts';
import type { DatabaseBindings } from './databases.ts';
import { bindingOf } from './databases.ts';
import type { Access } from './key.ts';
import { selectKey } from './key.ts';
import type { BoundStatement, CallValues } from './statement.ts';

/** The statements of a call. Those that are undefined are left out. */
type Statements = readonly (BoundStatement | undefined)[];

/** The rows of each statement; an empty list for a statement that was left out. */
type RowsOf<S extends Statements> = {
  readonly [I in keyof S]: NonNullable<S[I]> extends BoundStatement<infer R> ? readonly R[] : never;
};

type KeyRow = NonNullable<ReturnType<typeof selectKey>['row']>;

/** How a call may be made. */
interface D1CallOptions {
  /** Whether repeating it has no other effect. By default only a read has none. */
  readonly isRepeatable?: boolean;
}

/** What a session knows of its request. */
interface SessionRequest {
  readonly databases: DatabaseBindings;
  /** The number of the database that the request's key names. */
  readonly database: number;
  /** SHA-256 of the request's key. */
  readonly keyHash: string;
  /** The access that the request's method needs. */
  readonly access: Access;
  /**
   * Reads the client's bookmark of that database, when the first statements run. Reads may then go to the nearest replica
   * that is at least as fresh. Without one, reads go to the primary, which is always current.
   */
  readonly bookmark: () => string | undefined;
}

/**
 * The only access to D1: runs a request's statements on behalf of its key's brand. Each call to `batch` is one round trip
 * and one transaction, which checks the key and does the statements. No key is cached, and no time passes between check and
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
  readonly #request: SessionRequest;
  /** The numbers of the databases of the brand, from the one that the key names to the one in use. */
  readonly #visited: number[];
  /** In the database that the key names, which each request asks first. */
  #keyDatabase: D1DatabaseSession;
  #db: D1DatabaseSession;

  /** @throws InvalidKey if there is no such database */
  constructor(request: SessionRequest) {
    if (!request.databases[bindingOf(request.database)]) throw new InvalidKey();
    this.#request = request;
    this.#visited = [request.database];
    this.#keyDatabase = this.#db = this.#open(request.database);
  }

  get database(): number {
    return this.#visited.at(-1) ?? 0;
  }

  /**
   * The bookmark of the last response of the database that the key names; null before the first. If the brand has moved, a
   * read with this bookmark finds that there, however far a replica lags behind.
   */
  get bookmark(): string | null {
    return this.#keyDatabase.getBookmark();
  }

  /**
   * Runs statements as one transaction in one call to D1, and returns the rows of each.
   *
   * Statements take the brand from the key's row, so they match no rows if the key may not do that. A call whose answer is
   * lost is repeated only if it reads, or the caller says so.
   *
   * Example: `const [, [row]] = await session.batch([update({ id }), read({ id })])`.
   * @throws InvalidKey, BrandSuspended, ReadOnlyKey, Unavailable; InvalidRequest if the bookmark is malformed
   */
  async batch<const S extends Statements>(
    statements: S,
    { isRepeatable = this.#request.access === 'read' }: D1CallOptions = {},
  ): Promise<RowsOf<S>> {
    const bookmark = this.#request.bookmark();
    // A write goes to the primary in any case.
    if (bookmark !== undefined && this.#request.access === 'read' && this.cost.d1Calls === 0) {
      this.#keyDatabase = this.#db = this.#open(this.database, bookmark);
    }
    return this.#call(statements, isRepeatable);
  }

  /** Checks the key, unless a call has done so, and nothing else, not even the bookmark. */
  async authenticate(): Promise<void> {
    if (this.cost.d1Calls === 0) await this.#call([], true);
  }

  async #call<S extends Statements>(statements: S, isRepeatable: boolean): Promise<RowsOf<S>> {
    for (;;) {
      const [[key], rows] = await withRetries(isRepeatable, () => this.#send(statements));
      if (key !== undefined && key.movedTo !== null) {
        this.#redirectTo(key.movedTo);
        continue;
      }
      // A key may be revoked or expire between two calls of a request.
      this.brandId = key?.brandId;
      if (key === undefined) throw new InvalidKey();
      if (key.may !== 1) throw this.#refusal(key);
      return rows;
    }
  }

  /** Returns why the key may not do what the request does. The conditions of `may` decide it; this only names the reason. */
  #refusal(key: KeyRow): Error {
    const writes = this.#request.access === 'write';
    if (key.suspendedAt !== null) return new BrandSuspended();
    if (writes && key.scope !== 'write') return new ReadOnlyKey();
    if (writes && key.frozenAt !== null) return new Unavailable('frozen');
    return new Error('The key may not do this, for a reason that BrandSession does not know.');
  }

  /** Sends the statements, behind the one that looks the key up. */
  async #send<S extends Statements>(
    statements: S,
  ): Promise<readonly [key: readonly KeyRow[], RowsOf<S>]> {
    this.cost.d1Calls++;
    const { keyHash, access } = this.#request;
    const added: CallValues = {
      'call.keyHash': keyHash,
      'call.access': access,
      'call.now': new Date().toISOString(),
      'call.tryId': crypto.randomUUID(),
    };
    const all = [selectKey({}), ...statements];
    const results = await this.#db.batch(
      all.flatMap((statement) =>
        statement ? this.#db.prepare(statement.text).bind(...statement.parameters(added)) : [],
      ),
    );
    for (const { meta } of results) {
      this.cost.rowsRead += meta.rows_read;
      this.cost.rowsWritten += meta.rows_written;
    }
    const lists = results.map((result) => result.results);
    const [key, ...rows] = all.map((statement) => (statement && lists.shift()) ?? []);
    return typedRows<S>(key, rows);
  }

  /**
   * Goes on in the database to which the brand has moved.
   * @throws Unavailable if that database was visited already, as for a moment at the end of a move, or after two moves
   */
  #redirectTo(database: number): void {
    if (this.#visited.length > 2 || this.#visited.includes(database)) {
      throw new Unavailable('moved');
    }
    this.#db = this.#open(database);
    this.#visited.push(database);
  }

  /** @param bookmark how fresh the reads must be at least */
  #open(database: number, bookmark = 'first-primary'): D1DatabaseSession {
    const name = bindingOf(database);
    const binding = this.#request.databases[name];
    if (!binding) {
      throw new Unavailable('no binding', { cause: new Error(`There is no binding ${name}.`) });
    }
    return binding.withSession(bookmark);
  }
}

/** D1 answers with the rows of each statement, whose types the statements carry. */
function typedRows<S extends Statements>(
  key: unknown,
  rows: unknown,
): readonly [key: readonly KeyRow[], RowsOf<S>] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return [key as readonly KeyRow[], rows as RowsOf<S>];
}
