import type { Item } from './item.ts';
import { itemOf } from './item.ts';
import type { Job } from './job.ts';

/** What changed in the service after a token. */
export interface Feed {
  /** Each changed resource by id, as it is now; undefined if it has no key. */
  readonly resources: Map<string, Item | undefined>;
  /** The ids of deleted resources. */
  readonly deleted: ReadonlySet<string>;
  /** The token of the first page. */
  readonly firstSince: string;
  /** The token to continue from. */
  readonly since: string;
  /** Whether it has all resources: one that does not appear is deleted. */
  readonly isWhole: boolean;
}

/**
 * Reads what changed in the service, to the end: only then does the mirror know which keys are unique.
 * @param from the token to start from; `'0'` for all resources
 */
export async function readFeed(job: Job, from: string): Promise<Feed> {
  const found = new Map<string, Item | undefined>();
  const gone = new Set<string>();
  let since = from;
  let firstSince: string | undefined;
  for await (const { changed, deleted, ...page } of job.collection.changes({ since: from })) {
    for (const resource of changed) found.set(resource.id, itemOf(resource, job));
    for (const id of deleted) {
      found.delete(id);
      gone.add(id);
    }
    since = page.since;
    firstSince ??= since;
  }
  return {
    resources: found,
    deleted: gone,
    firstSince: firstSince ?? from,
    since,
    isWhole: from === '0',
  };
}

/** Whether a feed says where a resource is now. Otherwise it is as it was. */
export function tells({ resources, deleted, isWhole }: Feed, id: string): boolean {
  return isWhole || resources.has(id) || deleted.has(id);
}
