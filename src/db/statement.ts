import type { Sql } from './sql.ts';
import { placeholder, raw, sql } from './sql.ts';
import { apiKeys } from './tables.ts';

/** A value as D1 binds and returns it. */
export type SqlValue = string | number | null;

/** A row as D1 returns it, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** An SQL text with placeholders: values that each call provides. */
export interface Statement<N extends string = string> {
  readonly text: string;
  /** The names of the placeholders, in the order of their numbers. */
  readonly names: readonly N[];
}

/**
 * A statement whose rows, usually one, include the brand of the request's key. It returns no rows if the key is not
 * live.
 */
export interface KeyedSelect<N extends string = string> extends Statement<N> {
  readonly includesKey: true;
}

/** A statement with the values of its placeholders, except those that the session adds. */
export interface BoundStatement<S extends Statement = Statement> {
  readonly statement: S;
  readonly values: Readonly<Record<string, SqlValue>>;
}

/** The values that the session adds. */
interface SessionValues {
  /** The SHA-256 of the request's key. */
  readonly keyHash: string;
  /** The number of earlier tries of this call that may have taken effect. */
  readonly earlierTries: number;
}

/** The values that a caller provides for placeholders `N`. */
export type ValuesFor<N extends string> = Readonly<
  Record<N extends 'thisTry' ? 'stem' : Exclude<N, keyof SessionValues>, SqlValue>
>;

/** The number of earlier tries of this call that may have taken effect. */
export const earlierTries = placeholder('earlierTries');

/**
 * The UUID of this try of a write: the value `stem`, and the number of earlier tries. So the tries of a write have
 * different revisions: others may have read the first, and then changed the row, before the service sent the second.
 */
export const thisTry = placeholder('thisTry');

/** Generates a UUID without its last digit. No row has seen it. */
export function newStem(): string {
  return crypto.randomUUID().slice(0, -1);
}

/** SQL condition: a column holds the UUID of a try of this write. */
export function isOurs<N extends string>(column: Sql<N>): Sql<N | 'stem'> {
  return sql`instr(${column}, ${placeholder('stem')})`;
}

/**
 * SQL: up to `limit` rows. SQLite plans with the value of a bare parameter after LIMIT, so it compiles the statement again
 * each time that one is bound. Compiling a list takes a third of the database's time for a page of 50.
 */
export const upToLimit = sql`limit ${placeholder('limit')} + 0`;

/** Adds the values of a statement's placeholders. The compiler names those that are missing. */
export function bind<N extends string, S extends Statement<N>>(
  statement: S & Statement<N>,
  values: ValuesFor<S['names'][number]>,
): BoundStatement<S> {
  return { statement, values };
}

/**
 * SQL: the current time by the database's clock. All writes use this clock, so times of change follow the order of the
 * changes.
 */
export const now = raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`);

/** SQL condition: the key is neither revoked nor expired. */
export const keyIsLive = sql`${apiKeys.revokedAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})`;

const thisKey = sql`${apiKeys.hash} = ${placeholder('keyHash')}`;

const isHere = sql`${apiKeys.movedTo} is null`;

const thisUsableKey = sql`${thisKey} and ${keyIsLive} and ${apiKeys.suspendedAt} is null and ${isHere}`;

/**
 * SQL value: the brand of the request's key; NULL, which matches no row, if the key is not live, or the brand is suspended
 * or in another database.
 */
export const readableBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${thisUsableKey})`;

/** SQL: the row of the request's key if it may write, for use after `from`. */
export const writableKey = sql`${apiKeys} where ${thisUsableKey} and ${apiKeys.scope} = 'write' and ${apiKeys.frozenAt} is null`;

/** Like `readableBrand`, but also NULL for a read-only key and a frozen brand. The first writing statement of a call uses it. */
export const writableBrand = sql`(select ${apiKeys.brandId} from ${writableKey})`;

/**
 * The brand of the request's key, without checking the key. Only for statements that depend on what an earlier
 * statement of the same call wrote, or an earlier try of the call. That statement checked the key; if the key expires in
 * the meantime, the call must still complete. It is NULL if the brand is in another database: the whole call moves there.
 */
export const uncheckedBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${thisKey} and ${isHere})`;

/** A brand as an SQL value: one of the three above, or a column. */
export type BrandSql = Sql<'keyHash'>;

/** Converts SQL into a statement. A placeholder that occurs several times is one parameter. */
export function statement<N extends string>({ chunks }: Sql<N>): Statement<N> {
  const numbers = new Map<string, number>();
  const texts = chunks.map((chunk) => {
    if (typeof chunk === 'string') return chunk;
    const number = numbers.get(chunk.name) ?? numbers.size + 1;
    numbers.set(chunk.name, number);
    return `?${number}`;
  });
  // D1 searches each line for a comment, which costs a read 4 % of its CPU time. No string in these texts has two spaces.
  return { text: texts.join('').replace(/\s+/g, ' ').trim(), names: namesIn<N>(numbers) };
}

/** The placeholders of a text are those in its type: the functions that make `Sql` keep both in step. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function namesIn<N extends string>(numbers: ReadonlyMap<string, number>): readonly N[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return [...numbers.keys()] as N[];
}

/** Returns the values of a statement's placeholders, in the order in which D1 binds them. */
export function bindings(
  { statement: { names }, values }: BoundStatement,
  session: SessionValues,
): (SqlValue | undefined)[] {
  const all: Readonly<Record<string, SqlValue>> = {
    ...values,
    ...session,
    thisTry: `${values['stem'] ?? ''}${session.earlierTries}`,
  };
  return names.map((name) => all[name]);
}

/** The parts of a `selectWithKey` besides the key. */
interface KeyedSelectParts<N extends string> {
  readonly columns: Sql<N>;
  /** A table and its join condition. Its columns are NULL if no row matches. */
  readonly join?: Sql<N>;
  /**
   * The condition under which this call has written. The key was then live when it was checked, and counts as live for
   * the whole call.
   */
  readonly hasWritten?: Sql<N>;
  /** ORDER BY and LIMIT, if the join matches several rows. */
  readonly rest?: Sql<N>;
}

/**
 * Returns a statement that looks the request's key up and reads the joined columns in the same row. A separate
 * statement for the key would cost 4 % of the CPU time of reading one resource. Within the parts, the key's columns are
 * `key.brand_id`, `key.scope`, `key.suspended_at` and `key.frozen_at`. If the brand is in another database, the row has its
 * number in `moved_to`, even if the key is not live here, and no brand: nothing is joined.
 *
 * Example: `selectWithKey({ columns: sql`${brands.revision}`, join: sql`${brands} on ${brands.id} = ${keyBrand}` })`
 * returns one row with the brand's revision, and no row if the key is not live.
 */
export function selectWithKey<N extends string>({
  columns,
  join,
  hasWritten = sql`0`,
  rest,
}: KeyedSelectParts<N>): KeyedSelect<N | 'keyHash'> {
  const made = statement(sql`
    select key.*, ${hasWritten} as has_written, ${columns}
    from (select iif(${isHere}, ${apiKeys.brandId}, null) as brand_id, ${apiKeys.scope}, ${apiKeys.suspendedAt}, ${apiKeys.frozenAt}, ${apiKeys.movedTo}, ${keyIsLive} as is_live from ${apiKeys} where ${thisKey}) as key
    ${join && sql`left join ${join}`}
    where key.is_live or key.moved_to is not null or has_written ${rest}`);
  return { ...made, includesKey: true };
}

/** The brand of the request's key, within a `selectWithKey`. */
export const keyBrand = raw('key.brand_id');

/** Looks the request's key up, and nothing else. */
export const keyLookup = bind(selectWithKey({ columns: sql`null` }), {});
