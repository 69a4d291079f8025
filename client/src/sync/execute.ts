import type { Pushed, PushResult } from '../push.ts';
import { push } from '../push.ts';
import type { SyncCollection } from './collection.ts';
import { differences } from './compare.ts';
import { executeDeletions, planDeletions } from './deletions.ts';
import type { SyncOptions } from './options.ts';
import type { SyncPlan, Write } from './plan.ts';
import { planSync } from './plan.ts';
import type { SyncReport } from './report.ts';
import { SyncError } from './report.ts';
import type { SyncResult } from './results.ts';
import { reportOf } from './results.ts';

/** How often refused items are pushed again with less. */
const MENDS = 2;

/**
 * Returns what to send in place of a refused item; undefined if it stays refused.
 * @param error the problems that the service named
 * @param attempt how often the item was refused, from 1
 */
export type Mend = (fields: object, error: string, attempt: number) => object | undefined;

interface Execution {
  readonly report: SyncReport;
  /** Why it ended before everything was done. */
  readonly error?: SyncError | undefined;
}

/** Both steps of a sync. @throws as they, and SyncError if the second one ended early */
export async function sync<T extends Pushed>(
  collection: SyncCollection,
  items: Iterable<unknown> | AsyncIterable<unknown>,
  options: SyncOptions<T, string>,
): Promise<SyncReport> {
  const plan = await planSync(collection, items, options);
  const { report, error } = await executeSync(collection, plan, options);
  if (error !== undefined) throw error;
  return report;
}

/** Executes a plan: writes what differs, then deletes what is missing. In a dry run, nothing is written. */
export async function executeSync<T extends Pushed>(
  collection: SyncCollection,
  plan: SyncPlan,
  options: SyncOptions<T, string>,
  mend: Mend = () => undefined,
): Promise<Execution> {
  const { transport, names } = collection;
  const { match, dryRun = false, deleteMissing = false, signal, timeout, tries } = options;
  // Whatever ends it, the report has the results until then.
  const results: SyncResult[] = [];
  const progress = { done: plan.count - plan.writes.length, total: plan.count };
  const settle = async (settled: readonly SyncResult[]): Promise<void> => {
    results.push(...settled);
    progress.done += settled.length;
    await options.onProgress?.({ ...progress });
  };

  const call = { match, dryRun, signal, timeout, tries };
  /** Pushes writes, and returns those that are to be pushed again, with less. */
  const pushAll = async (writes: readonly Write[], attempt: number): Promise<Write[]> => {
    const again: Write[] = [];
    const fields = writes.map((write) => write.fields);
    await push(transport, names, fields, {
      ...call,
      lenient: true,
      minimal: true,
      // Each key would be a row: a sync that changes nothing writes nothing.
      idempotencyKey: null,
      onProgress: async ({ done, results: pushed }) => {
        const settled: SyncResult[] = [];
        for (const [at, result] of pushed.entries()) {
          const write = writes[done - pushed.length + at];
          if (write === undefined) continue;
          const mended = attempt <= MENDS ? mendedBy(mend, write, result, attempt) : undefined;
          if (mended === undefined) settled.push({ action: 'push', write, pushed: result });
          else again.push(mended);
        }
        await settle(settled);
      },
    });
    return again;
  };

  try {
    await settle([]);
    let writes = plan.writes;
    for (let attempt = 1; writes.length > 0; attempt++) writes = await pushAll(writes, attempt);
    if (deleteMissing !== false) {
      const limits = deleteMissing === true ? {} : deleteMissing;
      const planned = planDeletions(plan, reportOf(plan, results, false), match, limits);
      const doomed = planned.flatMap((one) => (one.action === 'delete' ? one.missing : []));
      results.push(...planned.filter(({ action }) => action !== 'delete'));
      progress.total += doomed.length;
      if (doomed.length > 0) await settle([]);
      await executeDeletions(collection, { doomed, readAt: plan.readAt }, options, settle);
    }
    return { report: reportOf(plan, results, dryRun) };
  } catch (cause) {
    const report = reportOf(plan, results, dryRun);
    return { report, error: new SyncError(report, cause) };
  }
}

/** Returns the write with which to push a refused item again; undefined if it was not refused, or stays so. */
function mendedBy(
  mend: Mend,
  write: Write,
  result: PushResult<Pushed>,
  attempt: number,
): Write | undefined {
  if (result.status !== 'refused') return undefined;
  const fields = mend(write.fields, result.error, attempt);
  if (fields === undefined) return undefined;
  const { difference } = write;
  if (difference === undefined) return { ...write, fields };
  const before = Object.entries(difference.fields).map(([field, [old]]) => [field, old] as const);
  const left = Object.entries(fields).filter(([field]) => field in difference.fields);
  const changed = differences(Object.fromEntries(left), Object.fromEntries(before));
  return { ...write, fields, difference: { ...difference, fields: changed } };
}
