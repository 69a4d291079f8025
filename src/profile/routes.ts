import { Hono } from 'hono/tiny';
import type { ApiEnv } from '../http/api-env.ts';
import type { Profile } from './definition.ts';
import { readProfile } from './read.ts';
import { updateProfile } from './update.ts';

/** The routes of the three operations on the profile. */
export function profileRoutes(profile: Profile): Hono<ApiEnv> {
  const read = readProfile(profile);
  const update = updateProfile(profile);

  const routes = new Hono<ApiEnv>();
  routes.get('/', (c) => read(c));
  routes.put('/', (c) => update(c, profile.putBody));
  routes.patch('/', (c) => update(c, profile.patchBody));
  return routes;
}
