import type { AdminApi } from './api.ts';
import type { ListName, ShopifyObjects } from './graphql-objects.ts';
import { placeOf } from './ids.ts';
import type { HeldMemory } from '../memory.ts';
import type { SkippedPart } from '../source.ts';
import type { JsonObject, PlacedObject } from '../json.ts';
import { isJsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { PAGES } from './queries.ts';

/**
 * Reads the lists page by page that a bulk operation cut off.
 * @returns what the shop counts and does not give all the same
 * @throws Failure if that is not possible
 */
export async function completeLists(
  api: AdminApi,
  objects: ShopifyObjects,
  held: HeldMemory,
): Promise<SkippedPart[]> {
  const short: SkippedPart[] = [];
  for (const { name, id, count } of objects.shortLists()) {
    const list: PlacedObject[] = [];
    for await (const object of membersOf(api, name, id)) {
      held.add(object);
      list.push({ place: placeOf(textOf(object['id']) ?? id), object });
    }
    objects.replace(name, id, list);
    // A medium that is not ready is counted too.
    if (name === 'media' || list.length >= count) continue;
    const reason = `The shop counts ${count} ${name} of ${placeOf(id)}, and gives ${list.length}.`;
    short.push({ key: null, reason, kind: 'problem' });
  }
  return short;
}

async function* membersOf(
  api: AdminApi,
  name: ListName,
  id: string,
): AsyncGenerator<JsonObject, void> {
  for (let after: unknown = null; ;) {
    const { node } = await api.query(PAGES[name], { id, after });
    // It was deleted meanwhile.
    if (node === null) return;
    const owner = objectOf(node);
    const connection = objectOf(owner['discount'] ?? owner)[name];
    if (!isJsonObject(connection)) throw api.failure(`did not answer with the ${name} of ${id}.`);
    yield* objectsOf(connection['nodes']);
    const { hasNextPage, endCursor } = objectOf(connection['pageInfo']);
    if (hasNextPage !== true) return;
    if (typeof endCursor !== 'string' || endCursor === after) {
      throw api.failure(`does not show all ${name} of ${id}.`);
    }
    after = endCursor;
  }
}
