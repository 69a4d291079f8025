import { itemsIn, packItems } from '../src/db/json-items.ts';
import type { Sql } from '../src/db/sql.ts';
import { identifier, join, placeholder, raw, sql } from '../src/db/sql.ts';
import type { Row } from '../src/db/statement.ts';
import { apiKeys, brands, idempotencyRecords, moves } from '../src/db/tables.ts';
import { tombstonesOf } from '../src/db/change-order.ts';
import { brand, into, isOurRun, moveIs, selectMove } from './conditions.ts';
import type { List } from './lists.ts';
import { columnsOf, names, records, recordsAfter, textOf } from './lists.ts';
import type { Cursor } from './move.ts';
import { insertRows, readSource } from './page.ts';
import type { Run } from './run.ts';
import { ownRow, Superseded, valuesOf } from './run.ts';
import type { Step } from './transaction.ts';
import { transact } from './transaction.ts';
import { CopyDiffers, KEPT_DAYS } from './verify.ts';

// What has no change numbers is read in one transaction, in which nothing else has changed either: the brand's row, its
// keys and the newest records. The commit compares all of it with what was copied.

/** All that the commit compares, and what is still to be copied. */
export interface Rest {
  /** The newest numbers, the brand's row, the keys, and the number and the time of the records, as one text. */
  readonly state: string;
  /** The time after which records count. */
  readonly since: string;
  /** The time after which tombstones are counted. */
  readonly buriedSince: string;
  /** The number of changes, and sums of their numbers. */
  readonly sums: string;
  /** The newest number of each collection. */
  readonly heads: Readonly<Record<string, number>>;
  readonly profile: Row;
  readonly keys: readonly Row[];
  readonly records: readonly Row[];
}

/** The columns of a key that belong to its database. */
const LOCAL = ['moved_to', 'frozen_at'];

const keyColumns = columnsOf(apiKeys).filter((name) => !LOCAL.includes(name));

/** SQL: values as one text, from which each can be told. */
function quoted(columns: readonly string[]): Sql {
  return join(
    columns.map((name) => sql`quote(${identifier(name)})`),
    ` || ',' || `,
  );
}

/**
 * SQL: what the commit compares. A freeze does not count: the schedule may end it at any time.
 * @param since the time after which records count: an hour less than they last, so that the daily job does not matter
 */
export function stateOf<N extends string>(lists: readonly List[], since: Sql<N>): Sql<N | 'brand'> {
  const counted = sql`${idempotencyRecords} where brand_id = ${brand} and created_at > ${since}`;
  const parts: Sql<N | 'brand'>[] = [
    ...lists.map(({ head }) => head),
    sql`coalesce((select ${quoted(columnsOf(brands))} from ${brands} where id = ${brand}), '')`,
    sql`coalesce((select group_concat(${quoted(keyColumns)}, ';' order by hash) from ${apiKeys} where brand_id = ${brand}), '')`,
    sql`(select count(*) || ' ' || coalesce(max(created_at), '') from ${counted})`,
  ];
  return sql`(${join(parts, ` || ' | ' || `)})`;
}

/**
 * SQL: the number of changes that there are, and two sums of their numbers, by the indexes alone. Tombstones that the daily
 * job may have deleted are left out, except the newest.
 */
export function sumsOf<N extends string>(lists: readonly List[], since: Sql<N>): Sql<N | 'brand'> {
  const sums = sql`count(*) || ' ' || coalesce(sum(change_number % 2147483647), 0) || ' ' || coalesce(sum((change_number % 30011) * (change_number % 30013)), 0)`;
  const parts = lists.flatMap(
    ({ path, collection: { table, changeIndex } }): Sql<N | 'brand'>[] => [
      sql`(select ${sums} from ${table} indexed by ${identifier(changeIndex)} where brand_id = ${brand})`,
      sql`(select ${sums} from ${tombstonesOf(path, brand)} and deleted_at > ${since})`,
      sql`coalesce((select change_number || id from ${tombstonesOf(path, brand)} order by change_number desc limit 1), '')`,
    ],
  );
  return sql`(${join(parts, ` || ' | ' || `)})`;
}

const ago = (time: string): Sql => sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${raw(`'-${time}'`)})`;

/** SQL: the time after which records count. */
export const countedSince = ago('23 hours');

/**
 * Reads what is left to be copied, and what the commit will compare, in one transaction.
 * @throws Superseded if the run may not act any more
 */
export async function readRest(run: Run, { record: [recordAt, recordKey] }: Cursor): Promise<Rest> {
  const { lists } = run;
  const [[compared = {}] = [], [heads = {}] = [], [profile] = [], keys = [], newRecords = []] =
    await readSource(run, [
      sql`select *, ${stateOf(lists, raw('since'))} as state, ${sumsOf(lists, raw('buried_since'))} as sums
        from (select ${countedSince} as since, ${ago(`${KEPT_DAYS} days`)} as buried_since)`,
      sql`select ${join(lists.map(({ head, path }) => sql`${head} as ${identifier(path)}`))}`,
      sql`select * from ${brands} where id = ${brand}`,
      sql`select * from ${apiKeys} where brand_id = ${brand} order by hash`,
      {
        query: sql`select * from ${recordsAfter} and created_at > ${ago('24 hours')}`,
        values: { recordAt, recordKey },
      },
    ]);
  // Deleted: the move is given up then, and the next run finds that.
  if (profile === undefined) throw new Superseded();
  return {
    ...{ profile, keys, records: newRecords },
    state: String(compared['state']),
    since: String(compared['since']),
    buriedSince: String(compared['buried_since']),
    sums: String(compared['sums']),
    heads: Object.fromEntries(lists.map(({ path }) => [path, Number(heads[path])])),
  };
}

/**
 * Copies the rest, with keys that point back to the source, and compares the whole copy.
 * @throws CopyDiffers
 * @throws Superseded if the run may not act any more
 */
export async function prepare(run: Run, rest: Rest, copied: Cursor): Promise<void> {
  const isOurs = moveIs(
    sql`${into('copying')} and ${isOurRun} and ${moves.copied} = ${placeholder('copied')}`,
  );
  const { lists } = run;
  const values = {
    ...{ ...valuesOf(run), copied: JSON.stringify(copied) },
    ...{ since: rest.since, buriedSince: rest.buriedSince },
  };
  const { rows } = await transact(run.target, values, [
    updateBrand(rest.profile, isOurs),
    deleteOtherKeys(rest.keys, isOurs),
    insertKeys(rest.keys, isOurs),
    ...insertRows(records, rest.records, isOurs),
    sql`select ${stateOf(lists, placeholder('since'))} as state, ${sumsOf(lists, placeholder('buriedSince'))} as sums`,
    selectMove,
  ]);
  const row = ownRow(run, rows.at(-1));
  if (row['copied'] !== values.copied || row['state'] !== 'copying') throw new Superseded();
  const [copy = {}] = rows.at(-2) ?? [];
  if (copy['sums'] !== rest.sums) throw new CopyDiffers('its changes');
  if (copy['state'] !== rest.state) throw new CopyDiffers('its profile, keys or records');
}

function updateBrand(profile: Row, isOurs: Sql<string>): Step {
  const columns = columnsOf(brands);
  const set = columns.map((name) => sql`${identifier(name)} = ${placeholder(name)}`);
  return {
    query: sql`update ${brands} set ${join(set)} where ${brands.id} = ${brand} and ${isOurs}`,
    values: profile,
  };
}

/**
 * Keys that only the target has are from a time that a restore of the source has undone. No client could use them, and the
 * commit would never find the same keys in both.
 */
function deleteOtherKeys(keys: readonly Row[], isOurs: Sql<string>): Step {
  return {
    query: sql`delete from ${apiKeys} where brand_id = ${brand} and ${isOurs}
      and hash not in (select value from json_each(${placeholder('hashes')}))`,
    values: { hashes: JSON.stringify(keys.map(({ hash }) => hash)) },
  };
}

function insertKeys(keys: readonly Row[], isOurs: Sql<string>): Step {
  const { count, values } = packItems(keys.map((row) => textOf({ columns: keyColumns }, row)));
  const members = keyColumns.map((_, index) => sql`value ->> ${raw(index)}`);
  const set = [...keyColumns, ...LOCAL].map((name) => raw(`${name} = excluded.${name}`));
  const query = sql`insert into ${apiKeys} (${names(keyColumns)}, moved_to, frozen_at)
    select ${join(members)}, ${placeholder('source')}, null from ${itemsIn(count, isOurs)}
    where true on conflict (hash) do update set ${join(set)}`;
  return { query, values };
}
