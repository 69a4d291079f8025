import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import type { Operation } from '../http/operation.ts';
import type { Profile } from './profile.ts';
import { profileResponse, selectProfile } from './row.ts';

/** GET of the profile. */
export function readProfile(profile: Profile): Operation {
  const statement = selectProfile(profile);

  return async (c) => {
    const [precondition] = checkAll(c, () => readPrecondition(c.req.raw.headers));
    const { last } = await c.var.session.run([], { statement, values: {} });
    return profileResponse(c, last, precondition);
  };
}
