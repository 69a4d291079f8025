import type { Feed } from './feed.ts';
import { textOf } from './item.ts';
import type { Job } from './job.ts';
import { MAYBE_MISSING } from './state.ts';

/** The service has lost or changed what both sides had, as after a restored backup. */
export class MirrorLossError extends Error {
  override readonly name = 'MirrorLossError';
  /** The keys of items that the service does not have any more. */
  readonly lost: readonly string[];
  /** The keys of items that the service has changed. */
  readonly changed: readonly string[];

  constructor(lost: readonly string[], changed: readonly string[]) {
    const keys = [
      ...(lost.length > 0 ? [`lost ${lost.join(', ')}`] : []),
      ...(changed.length > 0 ? [`changed ${changed.join(', ')}`] : []),
    ];
    super(`The service has ${keys.join(' and ')}. Run the mirror with a winner.`);
    this.lost = lost;
    this.changed = changed;
  }
}

/**
 * @param feed all resources
 * @throws MirrorLossError if the service lacks or has changed what both sides had
 */
export function refuseLoss(job: Job, { resources }: Feed): void {
  const [lost, changed]: [string[], string[]] = [[], []];
  for (const [key, { id, text }] of job.state.known) {
    const item = resources.get(id);
    if (!resources.has(id)) lost.push(key);
    // Without a key it is not copied, so that the store loses nothing.
    else if (item && text !== MAYBE_MISSING && textOf(item, job) !== text) changed.push(key);
  }
  if (lost.length + changed.length > 0) throw new MirrorLossError(lost, changed);
}
