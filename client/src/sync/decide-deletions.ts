import { storedKey } from '../stored-text.ts';
import type { Missing } from './compare.ts';
import type { WithheldBecause } from './report.ts';
import type { SyncResult } from './results.ts';
import { hasAccepted, asKept, refusedIn } from './results.ts';
import type { PlannedDeletions, SyncSteps } from './plan-steps.ts';

const REFUSED = 'an item with this key was refused';

/**
 * Says what is to become of the missing resources once the items are written: all are deleted that no item and no other
 * resource keeps, unless all deletions are withheld.
 */
export function decideDeletions(
  steps: SyncSteps,
  deletions: PlannedDeletions,
  pushed: readonly SyncResult[],
  match: string,
): SyncResult[] {
  const refused = [...steps.refused, ...refusedIn(pushed)];
  const refusedKeys = new Set(refused.map(({ key }) => loose(key, match)));
  const kept: SyncResult[] = [];
  const doomed: Missing[] = [];
  for (const missing of deletions.missing) {
    const count = steps.comparison.doubled.get(storedKey(missing.key, match));
    if (count !== undefined) kept.push(asKept(missing, `${count} resources have this ${match}`));
    else if (refusedKeys.has(loose(missing.key, match))) kept.push(asKept(missing, REFUSED));
    else doomed.push(missing);
  }
  const because = whyWithheld(deletions, {
    isUnclear: deletions.isUnclear || refusedKeys.has(''),
    isAnyAccepted: hasAccepted(steps, pushed),
    doomed: doomed.length,
  });
  const results = doomed.map((missing): SyncResult =>
    because === undefined
      ? { action: 'delete', missing }
      : { action: 'withhold', missing, because },
  );
  return [...kept, ...results];
}

/** Says why no resource may be deleted, if so: the only place that decides it. */
function whyWithheld(
  { doubts, most }: PlannedDeletions,
  {
    isUnclear,
    isAnyAccepted,
    doomed,
  }: { readonly isUnclear: boolean; readonly isAnyAccepted: boolean; readonly doomed: number },
): WithheldBecause | undefined {
  if (doubts.length > 0) return 'doubts';
  if (isUnclear) return 'unclear';
  // A source that answers with an error, or in another form, has items too.
  if (!isAnyAccepted) return 'nothing-accepted';
  return doomed > most ? 'limit' : undefined;
}

/**
 * Returns a key as it is compared, without what only a refused spelling of it may have: control characters, and the white
 * space that some of them are. It is empty if nobody can read it.
 */
function loose(key: string | null, match: string): string {
  return storedKey((key ?? '').replace(/[\s\p{C}]+/gu, ''), match);
}
