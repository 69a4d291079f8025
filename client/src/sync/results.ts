import type { PushResult, Pushed } from '../push.ts';
import type { Difference, Missing } from './compare.ts';
import { storedValue, titleOf } from './compare.ts';
import { changesIn } from './item-list.ts';
import type { RefusedItem, SyncChange, SyncReport, WithheldBecause } from './report.ts';
import type { SyncSteps, Write } from './plan-steps.ts';

/** What became of a write, or of a missing resource. */
export type SyncResult =
  | { readonly action: 'push'; readonly write: Write; readonly pushed: PushResult<Pushed> }
  /** `gone`: somebody else has deleted it. */
  | { readonly action: 'delete' | 'gone'; readonly missing: Missing }
  | { readonly action: 'withhold'; readonly missing: Missing; readonly because: WithheldBecause }
  | { readonly action: 'keep'; readonly missing: Missing; readonly reason: string };

/** Returns the result of a missing resource that stays. */
export function asKept(missing: Missing, reason: string): SyncResult {
  return { action: 'keep', missing, reason };
}

/** Returns the items that the service refused. */
export function refusedIn(results: readonly SyncResult[]): RefusedItem[] {
  return results.flatMap((one) =>
    one.action === 'push' && one.pushed.status === 'refused'
      ? {
          index: one.write.item.index,
          key: one.write.item.key,
          error: one.pushed.error,
          problems: one.pushed.problems,
        }
      : [],
  );
}

/** Whether the service has taken an item, or has one already. An item with its key alone counts if it has a resource. */
export function hasAccepted({ equal }: SyncSteps, results: readonly SyncResult[]): boolean {
  return (
    equal > 0 || results.some((one) => one.action === 'push' && one.pushed.status !== 'refused')
  );
}

/** Returns what the results come to, with what the steps leave as it is. */
export function reportOf(
  steps: SyncSteps,
  results: readonly SyncResult[],
  dryRun: boolean,
): SyncReport {
  const count = (what: (result: SyncResult) => boolean): number => results.filter(what).length;
  const pushed = (status: PushResult<Pushed>['status']): number =>
    count((one) => one.action === 'push' && one.pushed.status === status);
  const withheld = results.filter((one) => one.action === 'withhold');
  const [first] = withheld;
  return {
    created: pushed('created'),
    updated: pushed('updated'),
    unchanged: steps.unchanged + pushed('unchanged'),
    deleted: count(({ action }) => action === 'delete'),
    withheld: withheld.length,
    ...(first && { withheldBecause: first.because }),
    unmatched: steps.comparison.unmatched,
    kept: results.flatMap((one) =>
      one.action === 'keep' ? { id: one.missing.id, key: one.missing.key, reason: one.reason } : [],
    ),
    refused: [...steps.refused, ...refusedIn(results)].sort((a, b) => a.index - b.index),
    ...(dryRun && { changes: results.flatMap(changesOf) }),
  };
}

function changesOf(result: SyncResult): SyncChange[] {
  if (result.action === 'push') {
    const { item, fields, difference } = result.write;
    const { key } = item;
    const { status, id } = result.pushed;
    if (status === 'created') return [{ action: 'create', key, id: null, ...creation(fields) }];
    if (status !== 'updated') return [];
    // Somebody else may have created it meanwhile.
    const { title, fields: changed } = difference ?? { ...creation(fields), fields: {} };
    return [{ action: 'update', key, id, title, fields: changed }];
  }
  const { action, missing } = result;
  if (action !== 'delete' && action !== 'withhold') return [];
  const { id, key, title } = missing;
  return [{ action, key, id, title }];
}

/** Returns what a new resource is called, and its fields, as they are stored. */
function creation(item: object): Pick<Difference, 'title' | 'fields'> {
  const stored = changesIn(item).map(
    ([field, value]) => [field, storedValue(value, field)] as const,
  );
  const pairs = stored.map(([field, value]) => [field, [null, value] as const] as const);
  return { title: titleOf(Object.fromEntries(stored)), fields: Object.fromEntries(pairs) };
}
