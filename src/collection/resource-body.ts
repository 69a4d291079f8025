import * as z from 'zod/mini';
import { hasMember, memberOf } from '../http/member.ts';
import type { Collection } from './collection.ts';

/**
 * The schema of a body with one resource. A body that is the envelope of a response has one problem: otherwise each required
 * field would be missing.
 */
export function resourceBody<T>({ keys }: Collection, schema: z.ZodMiniType<T>): z.ZodMiniType<T> {
  const isEnvelope = (body: unknown): boolean => {
    const inside = memberOf(body, keys.one);
    const isAlone = hasMember(body, keys.one) && Object.keys(body).length === 1;
    return isAlone && typeof inside === 'object' && inside !== null;
  };
  const error = 'send the fields without the envelope';
  const fields = z.refine((body) => !isEnvelope(body), { path: [keys.one], error });
  return z.pipe(z.unknown().check(fields), schema);
}
