import type { OwnOperations } from '../tools/build/openapi/operation.ts';

/** What `app.ts` serves besides the operations of every collection, by the path of the collection. */
export const ownOperations: OwnOperations = {};
