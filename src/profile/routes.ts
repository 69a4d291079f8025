import { Hono } from 'hono/tiny';
import type { ApiEnv } from '../http/api-env.ts';
import { lazy } from '../lazy.ts';
import { profileChanges } from './change.ts';
import type { Profile } from './profile.ts';
import { readProfile } from './read.ts';

/** The routes of the three operations on the profile. The operations are built on first use. */
export function profileRoutes(load: () => Profile): Hono<ApiEnv> {
  const operations = lazy(() => {
    const profile = load();
    const change = profileChanges(profile);
    return {
      read: readProfile(profile),
      replace: change(profile.putBody),
      update: change(profile.patchBody),
    };
  });

  const routes = new Hono<ApiEnv>();
  routes.get('/', (c) => operations().read(c));
  routes.put('/', (c) => operations().replace(c));
  routes.patch('/', (c) => operations().update(c));
  return routes;
}
