import { PayloadTooLarge } from '../errors.ts';
import type { JsonBody } from '../http/body.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import { validate } from '../http/validation.ts';
import type { Collection, Completion } from './collection.ts';

/** What a POST sent: one resource, or a list in the shape that a GET returns. */
export interface Creation {
  readonly completions: readonly Completion[];
  readonly isList: boolean;
}

/**
 * Reads the body of a POST.
 * @throws PayloadTooLarge for one resource above its limit, InvalidRequest
 */
export function readCreation(
  { keys, full, list }: Collection,
  { value, bytes }: JsonBody,
): Creation {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, keys.many)) {
    return { completions: validate(list, value)[keys.many] ?? [], isList: true };
  }
  if (bytes.byteLength > RESOURCE_LIMIT) throw new PayloadTooLarge(RESOURCE_LIMIT);
  return { completions: [validate(full, value)], isList: false };
}
