import type { SQL, SQLWrapper } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { guardedUpdates, WRITE_TIME } from '../db/guarded-update.ts';
import { jsonOfColumns } from '../db/json.ts';
import { meetsInSql } from '../db/precondition.ts';
import type { Answer, Statement } from '../db/statement.ts';
import { answering, keyBrand, now, statement, writingBrand } from '../db/statement.ts';
import type { Collection } from './collection.ts';
import { keyRecord, recordIsOurs, recordStatement, recordTime } from '../db/idempotency-records.ts';

/** The statements of a collection, their texts made once. */
export interface CollectionStatements {
  /** Reads the resource `id`: its revision and its JSON text. */
  readonly find: Answer;
  /** Makes resources for a request without an Idempotency-Key. */
  readonly create: CreateStatements;
  /** The same for `idempotencyKey`. */
  readonly createOnce: CreateStatements;
  /** Changes the resource `id`. */
  readonly update: ReturnType<typeof guardedUpdates>;
  /** As `find`, after a change, and whether the value `unique` is taken by another. */
  readonly updated: Answer;
  /** Deletes the resource `id`. */
  readonly remove: Statement;
  /** Reads the revision of the resource `id`, which a precondition kept from being deleted. */
  readonly kept: Answer;
}

/** The statements that make resources. */
export interface CreateStatements {
  /** Notes which `ids` are made for the key. */
  readonly record?: Statement;
  /** Inserts the rows of the JSON array `items`: all, or none where one of the values in `uniques` is taken. */
  readonly insert: Statement;
  /** Inserts the rows of `items` where the row `first`, inserted just before, is there. */
  readonly insertMore: Statement;
  /** Tells what came of it: when `first` was created, the index in `uniques` of the first value that is taken, and the key's record. */
  readonly outcome: Answer;
}

/** Makes the statements of a collection. */
export function collectionStatements(collection: Collection): CollectionStatements {
  const { table, writable, shown, unique } = collection;
  const id = sql.placeholder('id');
  const first = sql.placeholder('first');
  const resource = (): SQL => sql`${table.revision}, ${jsonOfColumns(shown)} as json`;
  const row = (brand: SQL): SQL => sql`${table.brandId} = ${brand} and ${table.id} = ${id}`;
  const answeringRow = sql`${table} on ${row(keyBrand)}`;

  // Another row of the brand with the same value; the column's collation decides what is the same.
  const taken = (value: SQL, exceptId: SQL): SQL =>
    unique === undefined
      ? sql`select 1 where false`
      : sql`select 1 from ${table} as other
          where other.brand_id = ${writingBrand} and other.${sql.identifier(unique.column.name)} = ${value} and other.id <> ${exceptId}`;
  const takenUniques =
    unique &&
    sql`select item.key from json_each(${sql.placeholder('uniques')}) as item
      where exists (${taken(sql`item.value ->> 0`, sql`item.value ->> 1`)})`;
  const isFree = takenUniques && sql`not exists (${takenUniques})`;

  const insertText = (mine: SQL, guard: SQL): SQL => {
    const field = (name: string): SQL => sql`item.value ->> ${sql.raw(`'${name}'`)}`;
    const values = [
      { column: table.brandId, value: sql`mine.brand` },
      { column: table.createdAt, value: sql`mine.time` },
      { column: table.updatedAt, value: sql`mine.time` },
      ...[table.id, table.revision, ...Object.values(writable)].map((column) => ({
        column,
        value:
          column === table.lastSyncedAt
            ? sql`iif(${field(column.name)} = ${sql.raw(`'${WRITE_TIME}'`)}, mine.time, ${field(column.name)})`
            : field(column.name),
      })),
    ];
    // The conflict clause is for a repeat after a lost acknowledgement: the ids are there, and they are these very rows.
    return sql`
      insert into ${table} (${list(values.map(({ column }) => sql.identifier(column.name)))})
      select ${list(values.map(({ value }) => value))}
      from (${mine}) as mine, json_each(${sql.placeholder('items')}) as item
      where ${guard}
      on conflict (brand_id, id) do nothing`;
  };
  const insert = (mine: SQL, guard: SQL): Statement => statement(() => insertText(mine, guard));

  const insertMore = insert(
    sql`select brand_id as brand, created_at as time from ${table} where brand_id = ${writingBrand} and id = ${first}`,
    sql`true`,
  );
  const createdAt = sql`(select created_at from ${table} where brand_id = ${keyBrand} and id = ${first}) as created_at`;
  const firstTaken = takenUniques ? sql`(select min(key) from (${takenUniques}))` : sql`null`;

  return {
    find: answering(resource, answeringRow),

    create: {
      insert: insert(
        sql`select ${writingBrand} as brand, ${now} as time`,
        every(sql`mine.brand is not null`, isFree),
      ),
      insertMore,
      outcome: answering(() => sql`${createdAt}, ${firstTaken} as taken`),
    },

    createOnce: {
      record: recordStatement(isFree),
      insert: insert(
        sql`select ${writingBrand} as brand, ${recordTime} as time`,
        every(sql`mine.brand is not null`, isFree, recordIsOurs),
      ),
      insertMore,
      outcome: answering(
        () =>
          sql`${createdAt}, ${firstTaken} as taken, record.fingerprint, record.ids, record.created_at as recorded_at`,
        keyRecord,
      ),
    },

    update: guardedUpdates({
      table,
      row: row(writingBrand),
      stamped: [table.lastSyncedAt],
      ...(unique && {
        collision: {
          column: unique.column,
          exists: taken(sql`${sql.placeholder(unique.column.name)}`, sql`${id}`),
        },
      }),
    }),

    updated: answering(
      () =>
        sql`${resource()}, exists (${taken(sql`${sql.placeholder('unique')}`, sql`${id}`)}) as taken`,
      answeringRow,
    ),

    remove: statement(
      () => sql`
      delete from ${table} where ${row(writingBrand)} and ${meetsInSql(table.revision)}
      returning ${sql.identifier(table.id.name)}`,
    ),

    kept: answering(() => sql`${table.revision}`, answeringRow),
  };
}

/** A condition that holds where all of these do. */
function every(...conditions: readonly (SQL | undefined)[]): SQL {
  return sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  );
}

function list(parts: readonly SQLWrapper[]): SQL {
  return sql.join([...parts], sql`, `);
}
