import * as z from 'zod/mini';
import { expected } from './expected.ts';

/** `true` or `false`, and nothing that only looks like it. */
export function boolean(): z.ZodMiniBoolean {
  return z.boolean({ error: expected('true or false') });
}
