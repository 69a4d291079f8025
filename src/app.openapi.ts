import type { DescribedService } from '../tools/build/openapi/described.ts';
import type { DescribedOperation, OwnOperations } from '../tools/build/openapi/operation.ts';
import { collectionOperations } from './collection/routes.openapi.ts';
import { profileOperations } from './resources/profile-routes.openapi.ts';

/** What `app.ts` serves besides the operations of every collection, by the path of the collection. */
export const ownOperations: OwnOperations = {};

/** What `app.ts` serves, in the order of the document. */
export function operationsOf(
  service: DescribedService,
  own: OwnOperations = ownOperations,
): DescribedOperation[] {
  return [
    ...profileOperations(service),
    ...service.collections.flatMap((described) =>
      collectionOperations(described, own[described.collection.path] ?? []),
    ),
  ];
}
