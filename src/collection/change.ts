import { sql } from 'drizzle-orm';
import { newestChange } from '../db/change-order.ts';
import type { Values } from '../db/columns.ts';
import { encode } from '../db/columns.ts';
import { assertPrecondition, guardedUpdates, hasNewRevision } from '../db/guarded-update.ts';
import { newRevisionStem } from '../db/revision.ts';
import { writableBrand, keyBrand } from '../db/statement.ts';
import { AlreadyExists, NotFound } from '../errors.ts';
import { readJson, RESOURCE_LIMIT } from '../http/body.ts';
import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import { envelope } from '../http/json-response.ts';
import { resourceResponse } from '../http/resource-response.ts';
import type { Collection } from './collection.ts';
import { readId } from './identifier.ts';
import type { Operation } from '../http/operation.ts';
import { revisedResource } from './representation.ts';
import { otherRowWith, selectRow, rowById } from './row.ts';

/** Validates a body and returns a function from the resource's id to the fields to set. Throws InvalidRequest. */
type ReadFields = (body: unknown) => (id: string) => Values;

/**
 * The part that PUT and PATCH share; they differ only in which fields a body sets. If no value differs, nothing is
 * written.
 * @returns a function that takes the body reader and returns the operation
 */
export function changeOperations(collection: Collection): (readFields: ReadFields) => Operation {
  const { path, table, noun, keys, writable, stamped, unique } = collection;
  const idPlaceholder = sql`${sql.placeholder('id')}`;

  // The unique value is looked for twice, in this transaction: here a collision keeps the UPDATE from the row, and the
  // outcome then tells it from a change that is not needed. Each names the value and the brand as its statement binds them.
  const updateStatements = guardedUpdates({
    table,
    row: rowById(collection, writableBrand),
    assign: { change_number: sql`1 + ${newestChange(table, path, writableBrand)}` },
    stamped: [...stamped].flatMap((field) => writable[field] ?? []),
    ...(unique && {
      collision: {
        column: unique.column,
        exists: otherRowWith(
          collection,
          writableBrand,
          sql`${sql.placeholder(unique.column.name)}`,
          idPlaceholder,
        ),
      },
    }),
  });
  const outcome = selectRow(
    collection,
    sql`exists (${otherRowWith(collection, keyBrand, sql`${sql.placeholder('unique')}`, idPlaceholder)}) as taken`,
    hasNewRevision(table.revision),
  );

  return (readFields) => async (c) => {
    const body = await readJson(c.req.raw, RESOURCE_LIMIT);
    const [fieldsOf, precondition] = checkAll(
      c,
      () => readFields(body.take()),
      () => readPrecondition(c.req.raw.headers),
    );
    const id = readId(c, collection);
    const newValues = encode(writable, fieldsOf(id));
    const change = { newValues, stem: newRevisionStem(), precondition, values: { id } };
    const newUnique = (unique && newValues[unique.column.name]) ?? null;

    const { last, refusal } = await c.var.session.run(updateStatements(change), {
      statement: outcome,
      values: { id, unique: newUnique, stem: change.stem },
    });

    if (last['revision'] === null) throw new NotFound(noun);
    const { json, revision } = revisedResource(last);
    assertPrecondition(revision, change, refusal);
    if (last['taken']) throw refusal(new AlreadyExists(noun, String(newUnique)));
    return resourceResponse(c, envelope(keys.one, json), revision);
  };
}
