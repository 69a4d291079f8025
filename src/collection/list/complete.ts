import type { Context } from 'hono';
import type { ApiEnv } from '../../http/api-env.ts';
import { streamedBody } from '../../http/streamed-body.ts';
import type { Bounded } from './bounded.ts';

/** A list whose rows take several calls to D1. */
interface CompleteList<R> {
  /** The key of the list in its envelope. */
  readonly key: string;
  /** The first rows. */
  readonly first: Bounded<R>;
  /** Reads the rows after the last one of those before. */
  readonly next: (last: R | undefined) => Promise<Bounded<R>>;
  /** Returns a row as clients see it. */
  readonly show: (row: R) => unknown;
  /** The other members of the envelope. */
  readonly rest?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the response with a complete list. If it takes several calls to D1, it is streamed, so that memory stays bounded.
 * A failure aborts the body, so that an incomplete list never looks complete.
 */
export function completeList<R>(
  c: Context<ApiEnv>,
  { key, first, next, show, rest = {} }: CompleteList<R>,
): Response {
  if (!first.isCut) return c.json({ [key]: first.rows.map(show), ...rest });
  c.header('Content-Type', 'application/json');
  // A HEAD response has no body, so the rest is not read.
  if (c.req.method === 'HEAD') return c.body('');
  const { body, finished } = streamedBody(pieces(), c.req.raw.signal);
  c.set('finished', finished);
  return c.body(body);

  /** Yields the JSON text of the list in pieces. */
  async function* pieces(): AsyncGenerator<string, void> {
    yield `{${JSON.stringify(key)}:[`;
    let [part, separator] = [first, ''];
    for (;;) {
      const last = part.rows.at(-1);
      for (const row of part.rows) {
        yield separator + JSON.stringify(show(row));
        separator = ',';
      }
      if (!part.isCut) break;
      part = await next(last);
    }
    const members = Object.entries(rest).map(
      ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
    );
    yield `]${members.join('')}}`;
  }
}
