import { waitUntil } from 'cloudflare:workers';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Ending, OuterEnv } from './api-env.ts';
import { causeOf } from './log-cause.ts';
import { operationRoute } from './routing.ts';

/**
 * Writes one line of JSON per request, however it ends: the client, the operation, the result, and the cost in D1. A line
 * never contains a key, a value of a body or of a query, or an SQL parameter.
 */
export const requestLog = createMiddleware<OuterEnv>(async function requestLog(c, next) {
  const start = Date.now();
  const work = next();
  const line = async (): Promise<void> => {
    await work;
    const ended = await ending(c);
    const session = c.get('session');
    log({
      ...requestFields(c),
      status: c.res.status,
      ended,
      ...causeOf(c),
      ms: Date.now() - start,
      brandId: session?.brandId,
      // Enough digits to tell keys apart, too few to help guess one.
      keyHash: c.get('keyHash')?.slice(0, 16),
      database: session?.database === 0 ? undefined : session?.database,
      ...session?.cost,
    });
  };
  // If the client disconnects, the runtime cancels what the request still does. `waitUntil` keeps the line from that.
  waitUntil(line());
  await work;
});

/** Waits until no more of the response is produced, and returns how the request ended. */
async function ending(c: Context<OuterEnv>): Promise<Ending> {
  const { signal } = c.req.raw;
  try {
    return (await c.get('finished')) ?? (signal.aborted ? 'aborted' : 'complete');
  } catch (error) {
    logFailure(error, c);
    return signal.aborted ? 'aborted' : 'failed';
  }
}

/** Logs a failure whose details the client does not see. */
export function logFailure(error: unknown, c: Context): void {
  const { name, message, stack } = error instanceof Error ? error : new Error('Not an error.');
  log({ level: 'error', ...requestFields(c), error: { name, message, stack } });
}

function requestFields(c: Context): object {
  const requestId: unknown = c.get('requestId');
  return { requestId, method: c.req.method, route: operationRoute(c) ?? '*' };
}

/** A key where none belongs, such as in a client's `X-Request-Id`. */
const KEYS = /bik_[0-9A-Za-z]{49}/g;

/** Writes one line of the log; Workers Logs indexes its fields. */
export function log(fields: object): void {
  // oxlint-disable-next-line no-console -- this is where a Worker's log is written
  console.log(JSON.stringify(fields).replace(KEYS, 'bik_…'));
}
