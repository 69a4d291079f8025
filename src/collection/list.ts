import { checkAll } from '../http/checks.ts';
import { queryOf, readParameters } from '../http/parameters.ts';
import type { Collection } from './collection.ts';
import { largeResources } from './large-resources.ts';
import { listAll } from './list-all.ts';
import { listChanges } from './list-changes.ts';
import { listPage } from './list-page.ts';
import { listQuerySchema } from './list-query.ts';
import type { Operation } from '../http/operation.ts';
import { pages } from './page.ts';

/** GET of a collection: the whole list, one page (`limit`), or changes (`since`). */
export function listOperation(collection: Collection): Operation {
  const schema = listQuerySchema(collection);
  const readPage = pages(collection);
  const largeOf = largeResources(collection);
  const all = listAll(collection, readPage, largeOf);
  const page = listPage(collection, readPage, largeOf);
  const changes = listChanges(collection, largeOf);

  return async (c) => {
    const [query] = checkAll(c, () => readParameters(queryOf(c.req.raw), schema));
    const { since, limit, ...position } = query;
    if (since !== undefined) return changes(c, { since, limit });
    return limit === undefined ? all(c, position) : page(c, { ...position, limit });
  };
}
