import type { SQL } from 'drizzle-orm';
import { Placeholder, sql } from 'drizzle-orm';
import { sqlite } from './dialect.ts';
import { apiKeys } from './tables.ts';

/** A value as D1 binds and returns it. */
export type SqlValue = string | number | null;

/** A row as D1 returns it, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** An SQL text with placeholders: `sql.placeholder(name)` stands for a value that each call provides. */
export interface Statement {
  readonly text: string;
  /** The names of the placeholders, in the order in which D1 binds their values. */
  readonly names: readonly string[];
}

/**
 * A statement whose rows, usually one, include the brand of the request's key. It returns no rows if the key is not
 * live.
 */
export interface KeyedSelect extends Statement {
  readonly includesKey: true;
}

/** A statement with the values of its placeholders, except those that the session adds. */
export interface BoundStatement<S extends Statement = Statement> {
  readonly statement: S;
  readonly values: Readonly<Record<string, SqlValue>>;
}

/** The placeholder for the SHA-256 of the request's key. The session binds it. */
export const KEY_HASH = 'keyHash';

/** The placeholder for the number of earlier tries of this call that may have taken effect. The session binds it. */
export const EARLIER_TRIES = 'earlierTries';

/**
 * The placeholder that identifies this try of the call: the value `request` and the number of earlier tries, as JSON.
 */
export const THIS_TRY = 'thisTry';

/**
 * SQL: the current time by the database's clock. All writes use this clock, so times of change follow the order of the
 * changes.
 */
export const now = sql.raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`);

/** SQL condition: the key is neither revoked nor expired. */
export const keyIsLive = sql`${apiKeys.revokedAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})`;

const thisKey = sql`${apiKeys.hash} = ${sql.placeholder(KEY_HASH)}`;

/** SQL value: the brand of the request's key; NULL, which matches no row, if the key is not live. */
export const readableBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${thisKey} and ${keyIsLive})`;

/** Like `readableBrand`, but also NULL for a read-only key. The first writing statement of a call uses it. */
export const writableBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${thisKey} and ${keyIsLive} and ${apiKeys.scope} = 'write')`;

/**
 * The brand of the request's key, without checking the key. Only for statements that depend on what an earlier
 * statement of the same call wrote, or an earlier try of the call. That statement checked the key; if the key expires in
 * the meantime, the call must still complete.
 */
export const uncheckedBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${thisKey})`;

/**
 * Converts drizzle's SQL into a statement.
 * @throws TypeError if it contains a value that is not a placeholder
 */
export function statement(query: SQL): Statement {
  const { sql: text, params } = query.toQuery(sqlite);
  return { text, names: params.map(nameOf) };
}

/** Returns the values of a statement's placeholders, in the order in which D1 binds them. */
export function bindings(
  { statement: { names }, values }: BoundStatement,
  session: Readonly<Record<typeof KEY_HASH | typeof EARLIER_TRIES, SqlValue>>,
): SqlValue[] {
  return names.map((name) => {
    const value =
      name === KEY_HASH || name === EARLIER_TRIES
        ? session[name]
        : name === THIS_TRY
          ? JSON.stringify([values['request'], session[EARLIER_TRIES]])
          : values[name];
    if (value === undefined) throw new TypeError(`There is no value for ${name}.`);
    return value;
  });
}

function nameOf(param: unknown): string {
  if (isPlaceholder(param)) return param.name;
  throw new TypeError('A statement made once holds no values.');
}

/** drizzle's class does not fix the type of its name. */
function isPlaceholder(param: unknown): param is Placeholder {
  return param instanceof Placeholder;
}

/** The parts of a `selectWithKey` besides the key. */
interface KeyedSelectParts {
  readonly columns: SQL;
  /** A table and its join condition. Its columns are NULL if no row matches. */
  readonly join?: SQL;
  /**
   * The condition under which this call has written. The key was then live when it was checked, and counts as live for
   * the whole call.
   */
  readonly hasWritten?: SQL;
  /** ORDER BY and LIMIT, if the join matches several rows. */
  readonly rest?: SQL;
}

/**
 * Returns a statement that looks the request's key up and reads the joined columns in the same row. A separate
 * statement for the key would cost 4 % of the CPU time of reading one resource. Within the parts, the key's columns are
 * `key.brand_id` and `key.scope`.
 */
export function selectWithKey({ columns, join, hasWritten, rest }: KeyedSelectParts): KeyedSelect {
  const wrote = hasWritten ?? sql`0`;
  const made = statement(sql`
    select key.brand_id, key.scope, ${wrote} as has_written, ${columns}
    from (select ${apiKeys.brandId}, ${apiKeys.scope}, ${keyIsLive} as is_live from ${apiKeys} where ${thisKey}) as key
    ${join && sql`left join ${join}`}
    where key.is_live${hasWritten && sql` or ${wrote}`} ${rest}`);
  return { ...made, includesKey: true };
}

/** The brand of the request's key, within a `selectWithKey`. */
export const keyBrand = sql.raw('key.brand_id');

/** Looks the request's key up, and nothing else. */
export const keyLookup: BoundStatement<KeyedSelect> = {
  statement: selectWithKey({ columns: sql`null` }),
  values: {},
};
