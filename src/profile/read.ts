import { bind } from '../db/statement.ts';
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
    const { keyRow } = await c.get('session').run([], bind(statement, {}));
    return profileResponse(c, keyRow, precondition);
  };
}
