import * as z from 'zod/mini';
import { asSentence, expected } from './expected.ts';

/** `true` or `false`, without coercion. */
export function boolean(): z.ZodMiniBoolean {
  const what = 'true or false';
  return z
    .boolean({ error: expected(what) })
    .register(z.globalRegistry, { description: asSentence(what) });
}
