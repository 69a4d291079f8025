import type { DescribedCollection } from '../../tools/build/openapi/described.ts';
import type { DescribedOperation, DescribeOperation } from '../../tools/build/openapi/operation.ts';
import { replace, update } from './change.openapi.ts';
import { create } from './create.openapi.ts';
import { remove } from './delete.openapi.ts';
import { list } from './list/list.openapi.ts';
import { read } from './read.openapi.ts';

/**
 * The operations of a collection, in the order of the document. Samples run in this order, so that of DELETE comes last.
 * @param own those that this collection has besides the ones of every collection
 */
export function collectionOperations(
  described: DescribedCollection,
  own: readonly DescribeOperation[],
): DescribedOperation[] {
  return [list, create, ...own, read, replace, update, remove].map((describe) =>
    describe(described),
  );
}
