import * as z from 'zod';
import { expected } from './expected.ts';

/** `true` or `false`, and nothing that only looks like it. */
export function boolean(): z.ZodBoolean {
  return z.boolean({ error: expected('true or false') });
}
