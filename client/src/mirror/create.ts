import type { Pushed, PushResult } from '../push.ts';
import { sourceOf } from './item.ts';
import type { Job } from './job.ts';
import type { Creations } from './state.ts';

/** Pushes the items that the service does not have. Repeated with the same key, it returns the same ids. */
export async function create(job: Job, { key, items }: Creations): Promise<PushResult<Pushed>[]> {
  const options = { match: job.key, lenient: true, minimal: true, idempotencyKey: key } as const;
  const sources = items.map((item) => sourceOf(item, job));
  return job.collection.push(sources, options);
}
