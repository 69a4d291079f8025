import type * as z from 'zod/mini';
import { InvalidRequest } from '../errors.ts';
import { hasMember, memberOf } from '../http/member.ts';
import { validate } from '../http/validation.ts';
import type { Collection } from './collection.ts';

/**
 * Validates a body with one resource. A body that is the envelope of a response has one problem: otherwise each required
 * field would be missing.
 * @throws InvalidRequest
 */
export function validateResource<T>(
  { keys }: Collection,
  schema: z.ZodMiniType<T>,
  body: unknown,
): T {
  const inside = memberOf(body, keys.one);
  const isAlone = hasMember(body, keys.one) && Object.keys(body).length === 1;
  if (isAlone && typeof inside === 'object' && inside !== null) {
    const message = 'send the fields without the envelope';
    throw new InvalidRequest([{ path: keys.one, message }]);
  }
  return validate(schema, body);
}
