import { app } from '../../src/app.ts';
import type { Env } from '../../src/env.ts';
import { log } from '../../src/http/log.ts';
import { D1_ERRORS, failing, slow } from './faults.ts';

/** The faults of D1 that a request can select with the header `X-Test-D1`. */
const BEHAVIOURS: Readonly<Record<string, (db: D1Database) => D1Database>> = {
  'takes a second': (db) => slow(db, 500).db,
  'fails from the second call on': (db) =>
    failing(db, { text: D1_ERRORS.overload[0], moment: 'before', first: 2, times: Infinity }).db,
  'has a bug': (db) =>
    failing(db, { text: D1_ERRORS.bug[0], moment: 'before', times: Infinity }).db,
};

/** The service with a D1 that fails if the request selects a fault. It logs each request that arrives. */
export default {
  fetch(request, env, context) {
    log({ arrived: request.headers.get('X-Request-Id') });
    const behaviour = BEHAVIOURS[request.headers.get('X-Test-D1') ?? ''];
    return app.fetch(request, { ...env, DB: behaviour?.(env.DB) ?? env.DB }, context);
  },
} satisfies ExportedHandler<Env>;
