import type { SQL } from 'drizzle-orm';
import { Placeholder, sql } from 'drizzle-orm';
import { sqlite } from './dialect.ts';
import { apiKeys } from './tables.ts';

/** A value as D1 takes and gives it. */
export type SqlValue = string | number | null;

/** A row as D1 gives it, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** An SQL text with placeholders: `sql.placeholder(name)` stands for a value given with each call. */
export interface Statement {
  readonly text: string;
  /** The names of the placeholders, in the order in which D1 binds their values. */
  readonly names: readonly string[];
}

/** A statement whose rows, mostly one, say which brand the request's key belongs to; it gives none if the key is not accepted. */
export interface KeyedSelect extends Statement {
  readonly includesKey: true;
}

/** A statement with the values of its placeholders, save those that the session adds. */
export interface BoundStatement<S extends Statement = Statement> {
  readonly statement: S;
  readonly values: Readonly<Record<string, SqlValue>>;
}

/** The placeholder for the SHA-256 of the request's key. The session binds it. */
export const KEY_HASH = 'keyHash';

/** The placeholder for how many earlier tries of this call may have taken effect. The session binds it. */
export const EARLIER_TRIES = 'earlierTries';

/** The placeholder for this try of the call: the value `request` and the number of earlier tries, as JSON. */
export const THIS_TRY = 'thisTry';

/** The database's own clock: the only one that every write passes, so that times of change rise in the order of the changes. */
export const now = sql.raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`);

/** Holds for a key that is neither revoked nor expired. */
export const keyIsLive = sql`${apiKeys.revokedAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})`;

const thisKey = sql`${apiKeys.hash} = ${sql.placeholder(KEY_HASH)}`;

/** The brand of the request's key, for use as a value; NULL if the key is not live, so that nothing matches. */
export const readableBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${thisKey} and ${keyIsLive})`;

/** As `readableBrand`, and NULL for a read-only key too. The first statement of a call that writes decides by it. */
export const writableBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${thisKey} and ${keyIsLive} and ${apiKeys.scope} = 'write')`;

/**
 * The brand of the request's key, whatever the key's state is by now. Only for statements that follow what an earlier
 * statement of the same call wrote: that one decided whether the key is good, and a call must not be done by halves
 * because its key expires meanwhile.
 */
export const uncheckedBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${thisKey})`;

/**
 * Makes a statement out of drizzle's SQL.
 * @throws TypeError for a value in it that is no placeholder
 */
export function statement(query: SQL): Statement {
  const { sql: text, params } = query.toQuery(sqlite);
  return { text, names: params.map(nameOf) };
}

/** The values of a statement's placeholders, in the order in which D1 binds them. */
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
    if (value === undefined) throw new TypeError(`There is no value for the placeholder ${name}.`);
    return value;
  });
}

function nameOf(param: unknown): string {
  if (isPlaceholder(param)) return param.name;
  throw new TypeError('A statement made once holds no values.');
}

/** drizzle's class leaves the type of its name open. */
function isPlaceholder(param: unknown): param is Placeholder {
  return param instanceof Placeholder;
}

/** What a `selectWithKey` reads besides the key. */
interface KeyedSelectParts {
  readonly columns: SQL;
  /** A table, and the condition on its row or rows. Its columns are NULL if there is none. */
  readonly join?: SQL;
  /** Holds if this very call has written: then the key was good when the call decided, and stays so for the call. */
  readonly hasWritten?: SQL;
  /** What follows the conditions, if the join finds many rows: their order, and how many at most. */
  readonly rest?: SQL;
}

/**
 * Makes a statement that looks the request's key up, and in the same row reads what there is at most one row of. A
 * statement of its own for the key would be 4 % of the CPU of reading one resource, in a call that costs little else.
 * In its parts, the key's columns are `key.brand_id` and `key.scope`.
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

/** The brand of the request's key, as a `selectWithKey` has it. */
export const keyBrand = sql.raw('key.brand_id');

/** Looks the request's key up, and nothing else. */
export const keyLookup: BoundStatement<KeyedSelect> = {
  statement: selectWithKey({ columns: sql`null` }),
  values: {},
};
