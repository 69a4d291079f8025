import { refusedItem } from './item-list.ts';
import type { RefusedItem } from './report.ts';
import type { SyncResult } from './results.ts';
import type { SyncSteps, Write } from './plan-steps.ts';

const CHANGED = 'it is no longer as the plan has it';

/**
 * Returns of steps, as they are now, what a plan has: no other resource is written or deleted, and no other value.
 * @param planned the steps of the plan, and what its trial says of them
 * @returns what is left to be done, and what the plan has decided: the missing resources that stay
 */
export function onlyPlanned(
  planned: SyncSteps,
  trial: readonly SyncResult[],
  now: SyncSteps,
): { readonly left: SyncSteps; readonly decided: readonly SyncResult[] } {
  const pushes = new Map(
    trial.flatMap((one) => (one.action === 'push' ? [[one.write.item, one]] : [])),
  );
  const writes: Write[] = [];
  const refused: RefusedItem[] = [...now.refused];
  for (const write of now.writes) {
    const push = pushes.get(write.item);
    if (push?.pushed.status === 'refused') {
      const { error, problems } = push.pushed;
      refused.push({ index: write.item.index, key: write.item.key, error, problems });
    } else if (push === undefined || !isSame(push.write, write)) {
      refused.push(refusedItem(write.item, [{ path: '', message: CHANGED }]));
    } else writes.push(write);
  }
  const left = new Set(now.deletions?.missing.map(({ id }) => id));
  const doomed = trial.flatMap((one) =>
    one.action === 'delete' && left.has(one.missing.id) ? one.missing : [],
  );
  const deletions = planned.deletions && { ...planned.deletions, missing: doomed };
  const decided = trial.filter(({ action }) => action === 'keep' || action === 'withhold');
  return { left: { ...now, writes, refused, deletions }, decided };
}

/** Whether a write does to the same resource what another one does. */
function isSame({ difference: one }: Write, { difference: other }: Write): boolean {
  return JSON.stringify([one?.id, one?.fields]) === JSON.stringify([other?.id, other?.fields]);
}
