import { bind } from '../db/statement.ts';
import { NotFound } from '../errors.ts';
import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import { envelope } from '../http/json-response.ts';
import type { ItemOperation } from '../http/operation.ts';
import { resourceResponse } from '../http/resource-response.ts';
import type { Collection } from './collection.ts';
import { revisedResource } from './representation.ts';
import { selectRow } from './row.ts';

/** GET of one resource. */
export function readOperation(collection: Collection): ItemOperation {
  const { noun, keys } = collection;
  const statement = selectRow(collection);

  return async (c, readId) => {
    const [precondition] = checkAll(c, () => readPrecondition(c.req.raw.headers));
    const id = readId();

    const { keyRow } = await c.var.session.run([], bind(statement, { id }));

    if (keyRow['revision'] === null) throw new NotFound(noun);
    const { json, revision } = revisedResource(keyRow);
    return resourceResponse(c, envelope(keys.one, json), revision, precondition);
  };
}
