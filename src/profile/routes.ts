import { Hono } from 'hono/tiny';
import type { ApiEnv } from '../http/api-env.ts';
import { lazy } from '../lazy.ts';
import { profileChanges } from './change.ts';
import type { Profile } from './profile.ts';
import { readProfile } from './read.ts';

/** The routes of the three operations on the profile. Each operation is built on its first use. */
export function profileRoutes(load: () => Profile): Hono<ApiEnv> {
  const read = lazy(() => readProfile(load()));
  const change = lazy(() => profileChanges(load()));
  const replace = lazy(() => change()(load().putBody));
  const update = lazy(() => change()(load().patchBody));

  const routes = new Hono<ApiEnv>();
  routes.get('/', (c) => read()(c));
  routes.put('/', (c) => replace()(c));
  routes.patch('/', (c) => update()(c));
  return routes;
}
