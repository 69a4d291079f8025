import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { LOGGED_HASH_DIGITS } from '../auth/api-key.ts';
import type { OuterEnv } from './api-env.ts';
import { operationRoute } from './operation-route.ts';

/**
 * One line of JSON a request: who asked what, what came of it, and what it cost in D1. Workers Logs indexes the fields.
 * Never a key, a body, a query or an SQL parameter.
 */
export const requestLog = createMiddleware<OuterEnv>(async function requestLog(c, next) {
  const start = Date.now();
  await next();
  const line = (): void => {
    const session = c.get('session');
    const ms = Date.now() - start;
    log({
      ...requestFields(c),
      status: c.res.status,
      ms,
      brandId: session?.brandId,
      keyHash: c.get('keyHash')?.slice(0, LOGGED_HASH_DIGITS),
      ...session?.cost,
    });
  };
  const finished = c.get('finished');
  if (finished === undefined) line();
  // Not awaited: the body is still being sent, and keeps the Worker alive.
  else
    void finished
      .catch((error: unknown) => {
        logFailure(error, c);
      })
      .then(line);
});

/** Notes a failure that the client is told nothing about. */
export function logFailure(error: unknown, c: Context<OuterEnv>): void {
  const { name, message, stack } = error instanceof Error ? error : new Error('Not an error.');
  log({ level: 'error', ...requestFields(c), error: { name, message, stack } });
}

function requestFields(c: Context<OuterEnv>): object {
  const route = operationRoute(c) ?? '*';
  return { requestId: c.get('requestId'), method: c.req.method, route };
}

/** Writes one line of the log; Workers Logs indexes its fields. */
export function log(fields: object): void {
  // eslint-disable-next-line no-console -- this is where a Worker's log is written
  console.log(JSON.stringify(fields));
}
