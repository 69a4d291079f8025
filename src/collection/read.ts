import type { Context } from 'hono';
import type { Params } from '../db/statement.ts';
import { statement } from '../db/statement.ts';
import { NotFound } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/json-response.ts';
import type { SingleResource } from './single-resource.ts';
import { selectOne } from './single-resource.ts';

/** GET of one resource. */
export function read(of: SingleResource): (c: Context<ApiEnv>, id: string) => Promise<Response> {
  const select = statement((p: Params<'id'>) => selectOne(of, p.id, {}));

  return async (c, id) => {
    const precondition = readPrecondition(c.req.raw.headers);
    const [[row]] = await c.get('session').batch([select({ id })]);
    if (row === undefined) throw new NotFound(of.noun);
    return resourceResponse(c, of.toBody(row), row.revision, { precondition });
  };
}
