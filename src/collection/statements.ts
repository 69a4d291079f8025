import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { guardedUpdates, WRITE_TIME } from '../db/guarded-update.ts';
import type { Statement } from '../db/statement.ts';
import { now, readingBrand, statement, writingBrand } from '../db/statement.ts';
import type { Collection } from './collection.ts';

/** The statements of a collection, their texts made once. */
export interface CollectionStatements {
  /** Reads the resource `id`. */
  readonly find: Statement;
  /** Reads `limit` resources after the id `after`, in order. */
  readonly page: Statement;
  /** Inserts the rows of the JSON array `items`: all, or none where a unique value is taken. */
  readonly insert: Statement;
  /** Tells what an insert of `items` came to: when its row `id` was created, and the index of the first row whose unique value is taken. */
  readonly inserted: Statement;
  /** Deletes the resource `id`. */
  readonly remove: Statement;
  /** Changes the resource `id`. */
  readonly update: ReturnType<typeof guardedUpdates>;
  /** Reads the resource `id` after a change, and whether the value `unique` is taken by another. */
  readonly updated: Statement;
}

/** Makes the statements of a collection. */
export function collectionStatements(collection: Collection): CollectionStatements {
  const { table, shown, writable, unique } = collection;
  const [id, items] = [sql.placeholder('id'), sql.placeholder('items')];
  const columns = sql.join([...Object.values(shown), table.revision], sql`, `);
  const itsRow = (brand: SQL): SQL => sql`${table.brandId} = ${brand} and ${table.id} = ${id}`;

  // Another row of the brand with the same value; the column's collation decides what is the same.
  const takenBy = (value: SQL, exceptId: SQL): SQL =>
    unique === undefined
      ? sql`select 1 where false`
      : sql`select 1 from ${table} as other where other.${sql.identifier(table.brandId.name)} = ${writingBrand}
            and other.${sql.identifier(unique.column.name)} = ${value} and other.${sql.identifier(table.id.name)} <> ${exceptId}`;
  const field = (name: string): SQL => sql`item.value ->> ${sql.raw(`'${name}'`)}`;
  const takenItems = sql`select item.key from json_each(${items}) as item
    where exists (${takenBy(field(unique?.column.name ?? 'id'), field('id'))})`;

  const given = [table.id, table.revision, ...Object.values(writable)];
  const insertedColumns = [
    { column: table.brandId, value: sql`mine.brand` },
    { column: table.createdAt, value: now },
    { column: table.updatedAt, value: now },
    ...given.map((column) => ({
      column,
      value:
        column === table.lastSyncedAt
          ? sql`iif(${field(column.name)} = ${sql.raw(`'${WRITE_TIME}'`)}, ${now}, ${field(column.name)})`
          : field(column.name),
    })),
  ];
  const names = insertedColumns.map(({ column }) => sql.identifier(column.name));
  const values = insertedColumns.map(({ value }) => value);

  return {
    find: statement(sql`select ${columns} from ${table} where ${itsRow(readingBrand)}`),

    page: statement(sql`select ${columns} from ${table}
      where ${table.brandId} = ${readingBrand} and ${table.id} > ${sql.placeholder('after')}
      order by ${table.id} limit ${sql.placeholder('limit')}`),

    // The conflict clause is for a repeat after a lost acknowledgement: the ids are there, and they are these very rows.
    insert: statement(sql`insert into ${table} (${sql.join(names, sql`, `)})
      select ${sql.join(values, sql`, `)}
      from (select ${writingBrand} as brand) as mine, json_each(${items}) as item
      where mine.brand is not null and not exists (${takenItems})
      on conflict (${sql.identifier(table.brandId.name)}, ${sql.identifier(table.id.name)}) do nothing`),

    inserted: statement(sql`select
      (select ${table.createdAt} from ${table} where ${itsRow(writingBrand)}) as created_at,
      (select min(taken.key) from (${takenItems}) as taken) as taken`),

    remove: statement(
      sql`delete from ${table} where ${itsRow(writingBrand)} returning ${sql.identifier(table.id.name)}`,
    ),

    update: guardedUpdates({
      table,
      row: itsRow(writingBrand),
      stamped: [table.lastSyncedAt],
      ...(unique && {
        collision: {
          column: unique.column,
          exists: takenBy(sql`${sql.placeholder(unique.column.name)}`, sql`${id}`),
        },
      }),
    }),

    updated:
      statement(sql`select ${columns}, exists (${takenBy(sql`${sql.placeholder('unique')}`, sql`${id}`)}) as taken
      from ${table} where ${itsRow(writingBrand)}`),
  };
}
