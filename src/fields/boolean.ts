import * as z from 'zod/mini';
import { asSentence, documented, expected } from './expected.ts';

/** `true` or `false`, without coercion. */
export function boolean(): z.ZodMiniBoolean {
  const what = 'true or false';
  return documented(z.boolean({ error: expected(what) }), { description: asSentence(what) });
}
