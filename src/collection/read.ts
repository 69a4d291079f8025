import { bind } from '../db/statement.ts';
import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import type { ItemOperation } from '../http/operation.ts';
import { resourceResponse } from '../http/json-response.ts';
import type { Collection } from './collection.ts';
import { resourceIn, selectRow } from './row.ts';

/** GET of one resource. */
export function readOperation(collection: Collection): ItemOperation {
  const statement = selectRow(collection);

  return async (c, readId) => {
    const [precondition] = checkAll(c, () => readPrecondition(c.req.raw.headers));
    const id = readId();

    const { keyRow } = await c.get('session').run([], bind(statement, { id }));

    const { json, revision } = resourceIn(collection, keyRow);
    return resourceResponse(c, json, revision, precondition);
  };
}
