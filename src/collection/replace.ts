import { validate } from '../http/validation.ts';
import type { changeOperations } from './change.ts';
import type { Collection } from './collection.ts';
import type { Operation } from '../http/operation.ts';

/** PUT: replaces all writable fields. An omitted field is reset to its default. */
export function replaceOperation(
  { full }: Collection,
  change: ReturnType<typeof changeOperations>,
): Operation {
  return change((body) => validate(full, body));
}
