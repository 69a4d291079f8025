import { validate } from '../http/validation.ts';
import type { changeOperations } from './change.ts';
import type { Collection } from './collection.ts';
import type { Operation } from '../http/operation.ts';

/** PATCH (RFC 7396): changes exactly the fields in the body. */
export function updateOperation(
  { patch }: Collection,
  change: ReturnType<typeof changeOperations>,
): Operation {
  return change((body) => {
    const fields = validate(patch, body);
    return () => fields;
  });
}
