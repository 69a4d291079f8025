import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './answer.ts';
import { described, listMember, member, textMember, weak } from './answer.ts';
import type { TestCollection } from './resources.ts';
import { testCollections } from './resources.ts';
import type { Service } from './service.ts';

/**
 * Deletes everything that has the mark, including resources whose creation was not acknowledged, and checks that it is
 * gone.
 * @returns what could not be deleted
 */
export async function removeMarked(service: Service, mark: string): Promise<string[]> {
  const left: string[] = [];
  for (const names of testCollections) {
    try {
      const items = await marked(service, names, mark);
      for (const item of items) await service.api('DELETE', item);
      const still = items.length === 0 ? [] : await marked(service, names, mark);
      left.push(...still.map((item) => `${item} is still there`));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      left.push(`${names.path} with the mark ${mark}: ${reason}`);
    }
  }
  return left;
}

/** A write of a run that may have changed the profile. */
export interface ProfileChange {
  /** The answer to the GET before it. */
  readonly before: Answer;
  /** The answer to the write; undefined if there was none. */
  readonly after: Answer | undefined;
}

/**
 * Restores the profile after a write that changed it. What somebody else changed since then stays: the brand works while
 * it is verified.
 * @returns why it could not be restored; empty if it is as before
 */
export async function restoreProfile(
  service: Service,
  { before, after }: ProfileChange,
): Promise<string[]> {
  const now = await service.expect(200, 'GET', '/profile');
  if (isDeepStrictEqual(now.body, before.body)) return [];
  // The run writes what it read, so without an answer the difference is more likely somebody else's.
  if (after === undefined) {
    return ['the profile is not as it was, and an answer is missing: it stays as it is now'];
  }
  if (weak(now) !== weak(after)) {
    return ['the run changed the profile, and then somebody else did: it stays as it is now'];
  }
  const headers = { 'If-Match': now.headers.get('ETag') ?? '' };
  const restored = await service.api('PUT', '/profile', { body: before.body, headers });
  return restored.status === 200 ? [] : [`${described(restored)}: the profile is not as it was`];
}

/**
 * Returns the paths of the resources that have the mark. A broken service may list anything, so each item is checked: a
 * resource that existed before must never be deleted.
 */
async function marked(service: Service, names: TestCollection, mark: string): Promise<string[]> {
  const { path, many, filter, markedBy } = names;
  const { body } = await service.expect(200, 'GET', `${path}?${filter(mark)}`);
  return listMember(body, many)
    .filter((item) => member(item, markedBy) === mark)
    .map((item) => `${path}/${textMember(item, 'id')}`);
}
