import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { OuterEnv } from './api-env.ts';

/**
 * One line of JSON a request: who asked what, what came of it, and what it cost in D1. Workers Logs indexes the fields.
 * Never a key, a body, a query or an SQL parameter.
 */
export const requestLog = createMiddleware<OuterEnv>(async function requestLog(c, next) {
  const start = Date.now();
  await next();
  const session = c.get('session');
  write({
    ...requestFields(c),
    status: c.res.status,
    ms: Date.now() - start,
    brandId: session?.brandId,
    ...session?.cost,
  });
});

/** Notes a failure that the client is told nothing about. */
export function logFailure(error: Error, c: Context<OuterEnv>): void {
  const { name, message, stack } = error;
  write({ level: 'error', ...requestFields(c), error: { name, message, stack } });
}

function requestFields(c: Context<OuterEnv>): object {
  return { requestId: c.get('requestId'), method: c.req.method, route: routePath(c, -1) };
}

function write(fields: object): void {
  // eslint-disable-next-line no-console -- this is where a Worker's log is written
  console.log(JSON.stringify(fields));
}
