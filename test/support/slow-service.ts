import { app } from '../../src/app.ts';
import type { Env } from '../../src/http/api-env.ts';
import { log } from '../../src/http/log.ts';
import { slow } from './faults.ts';

/** The service, with a D1 that takes half a second if the request asks for it. It logs each request that arrives. */
export default {
  fetch(request, env, context) {
    log({ arrived: request.headers.get('X-Request-Id') });
    const DB = request.headers.has('X-Test-Slow') ? slow(env.DB, 500).db : env.DB;
    return app.fetch(request, { ...env, DB }, context);
  },
} satisfies ExportedHandler<Env>;
