import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { newestChange, recentTombstones } from '../db/change-order.ts';
import {
  keyRecord,
  recordIsLive,
  recordIsOfThisTry,
  recordStatement,
  requestOfRecord,
  resultsOfRecord,
} from '../db/idempotency-records.ts';
import { itemsIn } from '../db/json-items.ts';
import { revisionOfTry, stemOf } from '../db/revision.ts';
import type { KeyedSelect, Statement } from '../db/statement.ts';
import {
  uncheckedBrand,
  writableBrand,
  EARLIER_TRIES,
  keyBrand,
  now,
  selectWithKey,
  statement,
} from '../db/statement.ts';
import type { Collection, Match } from './collection.ts';
import { jsonOrLength } from './large-resources.ts';
import { mergedItems } from './push-merge.ts';

/** The properties of a push that its statements depend on. */
export interface PushForm {
  /** The number of parameters that hold the items. */
  readonly parameters: number;
  /** The columns that any of the items sets. */
  readonly named: readonly string[];
}

/** The statements of a push that matches by one field. */
export interface PushStatements {
  /**
   * Selects each item's report and its resource after the push. The placeholder `time` stands for the time of the
   * write.
   */
  readonly report: (form: PushForm) => Statement;
  /** Selects each item's report if the Idempotency-Key has no record. */
  readonly reportUnrecorded: (form: PushForm) => Statement;
  /** Writes the accepted items; nothing if an item is refused, unless `lenient`. */
  readonly write: (form: PushForm) => Statement;
  /**
   * Looks the API key up after `write`, and reads the `time` of the rows that it wrote. `marks` holds the marks of all
   * items.
   */
  readonly written: KeyedSelect;
  /**
   * Records the result of each item for the Idempotency-Key, under the condition of `write`, and only if `mayWrite`.
   */
  readonly record: (form: PushForm) => Statement;
  /** Writes the accepted items if this try of the call inserted the record. */
  readonly writeRecorded: (form: PushForm) => Statement;
  /** Selects the resources of the record as they are now. */
  readonly resources: Statement;
  /** Looks the API key up after `record`, and reads the record. */
  readonly recorded: KeyedSelect;
}

const lenient = sql.placeholder('lenient');
const isDryRun = sql.placeholder('isDryRun');

/** Stands for the time of a write that has not run yet: NULL, or a text that equals no value. */
const time = sql`${sql.placeholder('time')}`;
const mayWrite = sql.placeholder('mayWrite');
const earlierTries = sql.placeholder(EARLIER_TRIES);

/** A retry reports what an earlier try wrote, even if the key has ended since. */
const reportedBrand = sql`iif(${earlierTries}, ${uncheckedBrand}, ${writableBrand})`;

/** Returns the statements of a push that matches by one field. */
export function pushStatements(collection: Collection, match: Match): PushStatements {
  const { path, table, writable } = collection;
  const columns = sql.join(
    Object.values(writable).map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  const reportColumns = sql.raw('n, matches, old_id, mark, taken, differs, is_refused, ours');

  /** @param guard the condition under which the items are read */
  const merged = (
    parameters: number,
    {
      brand,
      time,
      guard = sql`1`,
      isWrite,
    }: { brand: SQL; time: SQL; guard?: SQL; isWrite?: true },
  ): SQL =>
    mergedItems(collection, match, {
      items: itemsIn(parameters, guard),
      guard,
      brand,
      time,
      ...(isWrite && { isWrite }),
    });

  const report = (parameters: number): Statement =>
    statement(sql`
      select ${reportColumns}, ${jsonOrLength(collection, { bytes: sql`text_bytes` })} as json
      from (
        select ${reportColumns}, text_bytes, coalesce(old_id, iif(${isDryRun}, null, mark)) as id, coalesce(created_at, ${time}) as created_at,
          iif(differs or old_id = mark, ${time}, coalesce(updated_at, ${time})) as updated_at, ${columns}
        from (${merged(parameters, { brand: reportedBrand, time })})
      ) as ${table}`);

  const reportUnrecorded = (parameters: number): Statement =>
    statement(sql`
      select ${reportColumns}
      from (${merged(parameters, { brand: writableBrand, time: sql`null`, guard: sql`not ${recordIsLive}` })})`);

  const write = (parameters: number): Statement =>
    statement(sql`
      with merged as materialized (${merged(parameters, { brand: writableBrand, time: now, guard: sql`${writableBrand} is not null`, isWrite: true })})
      ${insertMerged(writableBrand)} from merged
      where ${isWritten} and (${lenient} or not exists (select 1 from merged where is_refused))`);

  const record = (parameters: number): Statement =>
    recordStatement(sql`${mayWrite} and (${lenient} or not push.any_refused)`, {
      source: sql`(
        select json_group_array(json_array(n, matches, coalesce(old_id, mark), taken, differs)) as results, max(is_refused) as any_refused
        from (${merged(parameters, { brand: writableBrand, time: sql`null`, guard: sql`${mayWrite} and not ${recordIsLive}` })})
      ) as push`,
      results: sql`push.results`,
    });

  const writeRecorded = (parameters: number): Statement =>
    statement(sql`
      ${insertMerged(uncheckedBrand)}
      from (${merged(parameters, { brand: uncheckedBrand, time: now, guard: recordIsOfThisTry })})
      where ${isWritten}`);

  // A retry after a lost acknowledgement finds its items written. It does not recreate resources deleted in the
  // meantime, but changes one that has their value now.
  const isWritten = sql`not is_refused and (differs or old_id is null
    and (not ${earlierTries} or mark not in (select id from ${recentTombstones(path, uncheckedBrand)})))`;
  const insertMerged = (brand: SQL): SQL => sql`
    insert into ${table} (brand_id, id, created_at, revision, updated_at, change_number, ${columns})
    select ${brand}, coalesce(old_id, mark), coalesce(created_at, ${now}), ${revisionOfTry(sql.raw(stemOf('mark')))}, ${now}, ${newestChange(table, path, brand)} + 1 + n, ${columns}`;
  /**
   * Adds what follows the INSERT. It sets only the columns that items set: setting an indexed column costs a written row,
   * even to the same value.
   */
  const upserting =
    (insert: (form: PushForm) => Statement) =>
    (form: PushForm): Statement => {
      const { text, names } = insert(form);
      const set = ['revision', 'updated_at', 'change_number', ...form.named.filter(isSet)];
      const assignments = set.map((name) => `"${name}" = excluded."${name}"`).join();
      // A resource that this call created has its mark as its id. A retry leaves it unchanged.
      return {
        text: `${text} on conflict (brand_id, id) do update set ${assignments} where ${stemOf('excluded.id')} <> ${stemOf('excluded.revision')}`,
        names,
      };
    };
  const mark = (text: SQL): SQL => sql`instr(${sql.placeholder('marks')}, ${text})`;
  const marked = mark(sql.raw(stemOf('revision')));
  // A row that is as this call wrote it, or that it created.
  const isOurs = sql`${marked} + ${mark(sql`${table.id}`)} > 0`;
  // The match value itself does not change, except the case of a unique value.
  const isSet = (name: string): boolean => name !== match.column.name || match.isUnique;

  return {
    report: cached(report),
    reportUnrecorded: cached(reportUnrecorded),
    write: upserting(cached(write)),
    written: selectWithKey({
      // The rows that this call wrote have the highest change numbers, unless others have written between two tries: a
      // retry searches a thousand changes for one of them.
      columns: sql`not (key.is_live and key.scope = 'write') as ended, iif(${marked}, ${table.updatedAt}, coalesce(
        (select created_at from ${recentTombstones(path, uncheckedBrand)} where ${mark(sql`id`)}), ${table.createdAt})) as time`,
      join: sql`${table} on ${table.brandId} = ${keyBrand} and ${table.id} = (
        select id from (select id, revision from ${table} where brand_id = ${keyBrand} order by change_number desc limit 1 + 1000 * ${earlierTries}) as ${table}
        where ${isOurs} or not ${earlierTries} limit 1)`,
      hasWritten: isOurs,
    }),
    record: cached(record),
    writeRecorded: upserting(cached(writeRecorded)),
    resources: statement(sql`
      select ${table.id}, ${jsonOrLength(collection)} as json
      from json_each(${resultsOfRecord}) as item
      cross join ${table} on ${table.brandId} = ${uncheckedBrand} and ${table.id} = item.value ->> 2`),
    recorded: selectWithKey({
      columns: sql`record.fingerprint, ${requestOfRecord} as request, record.results`,
      join: keyRecord,
      hasWritten: sql`${requestOfRecord} is ${sql.placeholder('request')}`,
    }),
  };
}

/** Caches by the number of parameters, which is small, so that a new combination of columns costs no new rendering. */
function cached(make: (parameters: number) => Statement): (form: PushForm) => Statement {
  const made: Statement[] = [];
  return ({ parameters }) => (made[parameters] ??= make(parameters));
}
