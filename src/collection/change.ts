import type * as z from 'zod/mini';
import { newestChange } from '../db/change-order.ts';
import { encode } from '../db/columns.ts';
import { assertPrecondition, guardedUpdates, newValue } from '../db/guarded-update.ts';
import { placeholder, sql } from '../db/sql.ts';
import { bind, isOurs, keyBrand, newStem, writableBrand } from '../db/statement.ts';
import { AlreadyExists } from '../errors.ts';
import { readJson, RESOURCE_LIMIT } from '../http/body.ts';
import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import type { ItemOperation } from '../http/operation.ts';
import { resourceResponse } from '../http/json-response.ts';
import { validate } from '../http/validation.ts';
import type { Collection, FieldsToSet } from './collection.ts';
import { otherRowWith, resourceIn, rowById, selectRow } from './row.ts';

/** PUT and PATCH of one resource. */
interface Changes {
  /** PUT: replaces all writable fields. An omitted field is reset to its default. */
  readonly replace: ItemOperation;
  /** PATCH (RFC 7396): changes exactly the fields in the body. */
  readonly update: ItemOperation;
}

/** The operations that change a resource. If no value differs, nothing is written. */
export function changeOperations(collection: Collection): Changes {
  const { path, table, noun, writable, stamped, unique, postBody, patchBody } = collection;
  // Of the row to change, so that the key is looked up once.
  const brand = sql`${table.brandId}`;

  // A taken value keeps the UPDATE from the row. The outcome looks for it again, because a row that stayed the same may
  // also have needed no change.
  const updateStatements = guardedUpdates({
    table,
    row: rowById(collection, writableBrand),
    assign: { change_number: sql`1 + ${newestChange(table, path, brand)}` },
    stamped: [...stamped].flatMap((field) => writable[field] ?? []),
    ...(unique && {
      collision: {
        column: unique.column,
        exists: otherRowWith(collection, brand, newValue(unique.column.name), placeholder('id')),
      },
    }),
  });
  const outcome = selectRow(
    collection,
    sql`exists (${otherRowWith(collection, keyBrand, placeholder('unique'), placeholder('id'))}) as taken`,
    isOurs(sql`${table.revision}`),
  );

  const change =
    (schema: z.ZodMiniType<FieldsToSet>): ItemOperation =>
    async (c, readId) => {
      const body = await readJson(c.req.raw, RESOURCE_LIMIT);
      const [fieldsToSet, precondition] = checkAll(
        c,
        () => validate(schema, body.take()),
        () => readPrecondition(c.req.raw.headers),
      );
      const id = readId();
      const newValues = encode(writable, fieldsToSet(id));
      const stem = newStem();
      const newUnique = (unique && newValues[unique.column.name]) ?? null;

      const { keyRow, unlessRetried } = await c
        .get('session')
        .run(
          updateStatements({ newValues, stem, precondition, values: { id } }),
          bind(outcome, { id, unique: newUnique, stem }),
        );

      const { json, revision } = resourceIn(collection, keyRow);
      assertPrecondition(revision, { stem, precondition }, unlessRetried);
      if (keyRow['taken']) throw unlessRetried(new AlreadyExists(noun, String(newUnique)));
      return resourceResponse(c, json, revision);
    };

  return { replace: change(postBody), update: change(patchBody) };
}
