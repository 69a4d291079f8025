import type { Context } from 'hono';
import { statement } from '../db/statement.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/json-response.ts';
import type { Profile } from './definition.ts';
import { selectProfile } from './row.ts';

/** GET of the profile. */
export function readProfile(profile: Profile): (c: Context<ApiEnv>) => Promise<Response> {
  const select = statement([], () => selectProfile(profile));

  return async (c) => {
    const precondition = readPrecondition(c.req.raw.headers);

    const { keyed } = await c.get('session').run({}, select({}));

    const [row] = keyed;
    return resourceResponse(c, profile.show(row), row.revision, { precondition });
  };
}
