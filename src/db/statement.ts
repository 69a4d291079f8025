import type { SQL } from 'drizzle-orm';
import { Placeholder, sql } from 'drizzle-orm';
import { lazy } from '../lazy.ts';
import { sqlite } from './dialect.ts';
import { apiKeys } from './tables.ts';

/** A value as D1 takes and gives it. */
export type SqlValue = string | number | null;

/** A row as D1 gives it, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** An SQL text made ready once; `sql.placeholder(name)` in it stands for a value given with each call. */
export interface Statement {
  readonly text: string;
  /** The names of the placeholders, in the order in which D1 binds their values. */
  readonly names: readonly string[];
}

/** A statement that gives one row, with the brand and the scope of the request's live key in it, and none without such a key. */
export interface Answer extends Statement {
  readonly tellsOfKey: true;
}

/** A statement with the values of its placeholders, save the key's, which the session adds. */
export interface BoundStatement<S extends Statement = Statement> {
  readonly statement: S;
  readonly values: Readonly<Record<string, SqlValue>>;
}

/** The name under which every statement's placeholder for the SHA-256 of the request's key goes. */
export const KEY_HASH = 'keyHash';

/** The database's own clock: the only one that every write passes, so that times of change rise in the order of the changes. */
export const now = sql.raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`);

/** Holds for a key that is neither revoked nor expired. */
export const keyIsLive = sql`${apiKeys.revokedAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})`;

const liveKey = sql`${apiKeys.hash} = ${sql.placeholder(KEY_HASH)} and ${keyIsLive}`;

/** The brand of the request's live key, for use as a value; NULL where the key is none, so that nothing matches. */
export const readingBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${liveKey})`;

/** As `readingBrand`, and NULL for a read-only key too. */
export const writingBrand = sql`(select ${apiKeys.brandId} from ${apiKeys} where ${liveKey} and ${apiKeys.scope} = 'write')`;

/**
 * Makes a statement out of drizzle's SQL, once, where it is first asked for: to make all of them when the Worker starts
 * would be half of its start. Making it throws TypeError for a value in it that is no placeholder.
 */
export function statement(query: () => SQL): Statement {
  const made = lazy(() => {
    const { sql: text, params } = query().toQuery(sqlite);
    return { text, names: params.map(nameOf) };
  });
  return {
    get text() {
      return made().text;
    },
    get names() {
      return made().names;
    },
  };
}

/** The values of a statement's placeholders, in the order in which D1 binds them. */
export function bindings(
  { statement: { names }, values }: BoundStatement,
  keyHash: string,
): SqlValue[] {
  return names.map((name) => {
    const value = name === KEY_HASH ? keyHash : values[name];
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

/**
 * Makes a statement that looks the request's key up, and beside it reads what there is at most one row of: a statement
 * of its own for the key would be 4 % of the CPU of reading one resource, in a call that costs little else.
 * @param columns what to read; the columns of `joined` are NULL where it finds nothing
 * @param joined a table, and the condition on its row; the key's columns are `key.brand_id` and `key.scope`
 */
export function answering(columns: () => SQL, joined?: SQL): Answer {
  const made = statement(
    () => sql`
    select key.brand_id, key.scope, ${columns()}
    from (select ${apiKeys.brandId}, ${apiKeys.scope} from ${apiKeys} where ${liveKey}) as key
    ${joined && sql`left join ${joined}`}`,
  );
  return Object.assign(made, { tellsOfKey: true } as const);
}

/** The brand of the request's live key, as the joined row of an answer has it. */
export const keyBrand = sql.raw('key.brand_id');

/** Looks the request's key up, and nothing else. */
export const keyLookup: BoundStatement<Answer> = {
  statement: answering(() => sql`null`),
  values: {},
};
