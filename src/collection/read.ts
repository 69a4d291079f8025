import { NotFound } from '../errors.ts';
import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import { envelope } from '../http/json-response.ts';
import { resourceResponse } from '../http/resource-response.ts';
import type { Collection } from './collection.ts';
import { readId } from './identifier.ts';
import type { Operation } from '../http/operation.ts';
import { revisedResource } from './representation.ts';
import { selectRow } from './row.ts';

/** GET of one resource. */
export function readOperation(collection: Collection): Operation {
  const { noun, keys } = collection;
  const statement = selectRow(collection);

  return async (c) => {
    const [precondition] = checkAll(c, () => readPrecondition(c.req.raw.headers));
    const id = readId(c, collection);

    const { last } = await c.var.session.run([], { statement, values: { id } });

    if (last['revision'] === null) throw new NotFound(noun);
    const { json, revision } = revisedResource(last);
    return resourceResponse(c, envelope(keys.one, json), revision, precondition);
  };
}
