import type { Pushed, PushResult, RefusedPush } from '../push.ts';
import { push } from '../push.ts';
import type { SyncCollection } from './collection.ts';
import { differences } from './compare.ts';
import { decideDeletions } from './decide-deletions.ts';
import { executeDeletions } from './execute-deletions.ts';
import type { SyncOptions } from './options.ts';
import type { SyncReport } from './report.ts';
import { SyncError } from './report.ts';
import type { SyncResult } from './results.ts';
import { hasAccepted, reportOf } from './results.ts';
import type { SyncSteps, Write } from './plan-steps.ts';

/** How many writes are made to JSON at once, so that not all of them are held as texts. */
const AT_ONCE = 5000;

/** Returns less of a refused item, which is pushed in its place, and may be refused again; undefined if it stays refused. */
export type Mend = (fields: object, refusal: RefusedPush) => object | undefined;

/** What became of the steps of a sync. */
export interface Execution {
  readonly results: readonly SyncResult[];
  readonly report: SyncReport;
  /** Whether the service has taken an item, or has one already. */
  readonly hasAccepted: boolean;
  /** Why it ended before everything was done. */
  readonly error?: SyncError | undefined;
}

/**
 * Writes what differs, then deletes what is missing. In a dry run, nothing is written.
 * @param earlier the results that are known before
 */
export async function executeSteps<T extends Pushed>(
  collection: SyncCollection,
  steps: SyncSteps,
  options: SyncOptions<T, string>,
  mend: Mend = () => undefined,
  earlier: readonly SyncResult[] = [],
): Promise<Execution> {
  const { transport, names } = collection;
  const { match, dryRun = false, signal, timeout, tries } = options;
  // Whatever ends it, the report has the results until then.
  const results: SyncResult[] = [...earlier];
  const progress = { done: steps.count - steps.writes.length, total: steps.count };
  const onResults = async (more: readonly SyncResult[]): Promise<void> => {
    results.push(...more);
    progress.done += more.length;
    await options.onProgress?.({ ...progress });
  };

  const executionOf = (): Execution => ({
    results,
    report: reportOf(steps, results, dryRun),
    hasAccepted: hasAccepted(steps, results),
  });
  const call = { match, dryRun, signal, timeout, tries };
  /** Pushes writes, and returns those that are to be pushed again, with less. */
  const pushAll = async (writes: readonly Write[]): Promise<Write[]> => {
    const again: Write[] = [];
    for (let at = 0; at < writes.length; at += AT_ONCE) {
      again.push(...(await pushSome(writes.slice(at, at + AT_ONCE))));
    }
    return again;
  };
  const pushSome = async (writes: readonly Write[]): Promise<Write[]> => {
    const again: Write[] = [];
    const fields = writes.map((write) => write.fields);
    await push(transport, names, fields, {
      ...call,
      lenient: true,
      minimal: true,
      // Each key would be a row: a sync that changes nothing writes nothing.
      idempotencyKey: null,
      onProgress: async ({ done, results: pushed }) => {
        const more: SyncResult[] = [];
        for (const [at, result] of pushed.entries()) {
          const write = writes[done - pushed.length + at];
          if (write === undefined) continue;
          const mended = mendedBy(mend, write, result);
          if (mended === undefined) more.push({ action: 'push', write, pushed: result });
          else again.push(mended);
        }
        await onResults(more);
      },
    });
    return again;
  };

  try {
    await onResults([]);
    let { writes } = steps;
    while (writes.length > 0) writes = await pushAll(writes);
    if (steps.deletions !== undefined) {
      const { readAt } = steps.deletions;
      const decided = decideDeletions(steps, steps.deletions, results, match);
      const doomed = decided.flatMap((one) => (one.action === 'delete' ? one.missing : []));
      results.push(...decided.filter(({ action }) => action !== 'delete'));
      progress.total += doomed.length;
      if (doomed.length > 0) await onResults([]);
      await executeDeletions(collection, { doomed, readAt }, options, onResults);
    }
    return executionOf();
  } catch (cause) {
    const ended = executionOf();
    return { ...ended, error: new SyncError(ended.report, cause) };
  }
}

/** Returns the write with which to push a refused item again; undefined if it was not refused, or stays so. */
function mendedBy(mend: Mend, write: Write, result: PushResult<Pushed>): Write | undefined {
  if (result.status !== 'refused') return undefined;
  const fields = mend(write.fields, result);
  if (fields === undefined) return undefined;
  const { difference } = write;
  if (difference === undefined) return { ...write, fields };
  const before = Object.entries(difference.fields).map(([field, [old]]) => [field, old] as const);
  const left = Object.entries(fields).filter(([field]) => field in difference.fields);
  const changed = differences(Object.fromEntries(left), Object.fromEntries(before));
  return { ...write, fields, difference: { ...difference, fields: changed } };
}
