import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { streamedBody } from '../http/streamed-body.ts';
import type { BoundedRows } from './bounded.ts';

/** The length of a piece of a streamed list, in UTF-16 units. The last row of a piece may exceed it. */
const PIECE = 64 * 1024;

/** A list whose rows may take several calls to D1. */
interface CompleteList<R> {
  readonly key: string;
  readonly first: BoundedRows<R>;
  readonly next: () => Promise<BoundedRows<R>>;
  readonly toResource: (row: R) => unknown;
  readonly rest?: object;
}

/**
 * Returns the response with a complete list. If it takes several calls to D1, it is streamed, so that memory stays bounded.
 * A failure aborts the body, so that an incomplete list never looks complete.
 */
export function completeList<R>(
  c: Context<ApiEnv>,
  { key, first, next, toResource, rest = {} }: CompleteList<R>,
): Response {
  if (!first.hasMore) return c.json({ [key]: first.rows.map(toResource), ...rest });
  c.header('Content-Type', 'application/json');
  // A HEAD response has no body, so the rest is not read.
  if (c.req.method === 'HEAD') return c.body('');
  const { body, finished } = streamedBody(pieces(), c.req.raw.signal);
  c.set('finished', finished);
  return c.body(body);

  async function* pieces(): AsyncGenerator<string, void> {
    let text = `{${JSON.stringify(key)}:[`;
    let [part, separator] = [first, ''];
    for (;;) {
      for (const row of part.rows) {
        text += separator + JSON.stringify(toResource(row));
        separator = ',';
        if (text.length < PIECE) continue;
        yield text;
        text = '';
      }
      if (!part.hasMore) break;
      part = await next();
    }
    const members = Object.entries(rest).map(
      ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
    );
    yield `${text}]${members.join('')}}`;
  }
}
