import type { TestCollection } from './resources.ts';
import type { Resource, Service } from './service.ts';
import { resourcesIn } from './service.ts';

/**
 * Deletes everything of a collection that has the mark, including a resource whose creation was not acknowledged.
 * @throws Error that says what could not be deleted
 */
export async function removeMarked(
  service: Service,
  collection: TestCollection,
  mark: string,
): Promise<void> {
  const { path } = collection;
  for (const { id } of await marked(service, collection, mark)) {
    await service.api(200, 'DELETE', `${path}/${id}`);
  }
  const left = (await marked(service, collection, mark)).map(({ id }) => `${path}/${id}`);
  if (left.length > 0) throw new Error(`Still there: ${left.join(', ')}.`);
}

/** Returns what has the mark. A broken service may list anything, and what was there before must never be deleted. */
async function marked(
  service: Service,
  { path, many, markedBy }: TestCollection,
  mark: string,
): Promise<Resource[]> {
  const answer = await service.api(200, 'GET', `${path}?${markedBy}=${mark}`);
  return resourcesIn(answer, many).filter((found) => found[markedBy] === mark);
}
