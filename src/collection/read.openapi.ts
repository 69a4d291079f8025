import type { DescribedCollection } from '../../tools/build/openapi/described.ts';
import type { DescribedOperation } from '../../tools/build/openapi/operation.ts';
import { itemOf, readOf } from '../../tools/build/openapi/operation.ts';

export function read(described: DescribedCollection): DescribedOperation {
  return readOf(itemOf(described));
}
