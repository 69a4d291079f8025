import type { Pushed, PushResult } from '../push.ts';
import { storedValue } from '../stored.ts';
import type { Transport } from '../transport.ts';
import type { SyncCollection } from './collection.ts';
import type { Difference } from './compare.ts';
import { titleOf } from './compare.ts';
import { deleteMissing } from './deletions.ts';
import { changesIn } from './items.ts';
import type { SyncOptions } from './options.ts';
import type { SyncPlan, Write } from './plan.ts';
import { limitsOf } from './plan.ts';
import type { SyncReport } from './report.ts';
import { SyncError } from './report.ts';

/** How often refused items are pushed again with less. */
const MENDS = 2;

/**
 * Returns what to send in place of a refused item; undefined if it stays refused.
 * @param error the problems that the service named
 * @param attempt how often the item was refused, from 1
 */
export type Mend = (fields: object, error: string, attempt: number) => object | undefined;

/** Executes a plan: writes what differs, then deletes what is missing. In a dry run, nothing is written. */
export async function executeSync<T extends Pushed>(
  transport: Transport,
  collection: SyncCollection,
  plan: SyncPlan,
  options: SyncOptions<T, string>,
  mend: Mend = () => undefined,
): Promise<SyncReport> {
  const { match, dryRun = false } = options;
  const limits = limitsOf(options);
  const { found } = plan;
  const report: SyncReport = {
    created: 0,
    updated: 0,
    unchanged: plan.unchanged,
    deleted: 0,
    withheld: 0,
    unmatched: found.unmatched,
    kept: [],
    refused: [...plan.refused],
    ...(dryRun && { changes: [] }),
  };
  const progress = { done: plan.count - plan.writes.length, total: plan.count };
  const advance = async (done: number, more = 0): Promise<void> => {
    progress.done += done;
    progress.total += more;
    await options.onProgress?.({ ...progress });
  };

  /** Pushes writes, and returns those that are to be pushed again, with less. */
  const push = async (writes: readonly Write[], attempt: number): Promise<Write[]> => {
    const again: Write[] = [];
    await collection.push(
      writes.map(({ fields }) => fields),
      {
        ...limits,
        match,
        dryRun,
        lenient: true,
        minimal: true,
        // Each key would be a row: a sync that changes nothing writes nothing.
        idempotencyKey: null,
        onProgress: async ({ done, results }) => {
          const before = again.length;
          for (const [at, result] of results.entries()) {
            const write = writes[done - results.length + at];
            if (write === undefined) continue;
            const mended = attempt <= MENDS ? mendedBy(mend, write, result, attempt) : undefined;
            if (mended === undefined) reportResult(result, write, report);
            else again.push(mended);
          }
          await advance(results.length - (again.length - before));
        },
      },
    );
    return again;
  };

  try {
    await advance(0);
    let writes = plan.writes;
    for (let attempt = 1; writes.length > 0; attempt++) writes = await push(writes, attempt);
    report.refused.sort((a, b) => a.index - b.index);
    const deletions = options.deleteMissing ?? false;
    if (deletions === false) return report;
    await deleteMissing<T>({
      collection,
      match,
      limits: deletions === true ? {} : deletions,
      readAt: new Date(plan.readAt.getTime() - found.skew),
      dryRun,
      found,
      // A source that answers with an error, or in another form, has items too.
      isDoubtful:
        plan.isUnclear || report.created + report.updated + report.unchanged === plan.idle,
      report,
      options: limits,
      signals: transport.limits(limits).signals,
      advance,
    });
    return report;
  } catch (cause) {
    throw new SyncError(report, cause);
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
  const { item, difference } = write;
  return {
    item: { ...item, fields },
    fields,
    difference: difference && { ...difference, fields: only(difference.fields, fields) },
  };
}

/** Returns the differences in fields that are still sent. */
function only(differences: Difference['fields'], fields: object): Difference['fields'] {
  return Object.fromEntries(
    Object.entries(differences).flatMap(([field, [before, after]]) => {
      if (!(field in fields)) return [];
      const value = storedValue(Reflect.get(fields, field), field);
      const isEqual = JSON.stringify(before) === JSON.stringify(value);
      return isEqual ? [] : [[field, [before, value ?? after]] as const];
    }),
  );
}

/** Adds the result of one item to a report. */
function reportResult(
  result: PushResult<Pushed>,
  { item, difference }: Write,
  report: SyncReport,
): void {
  const { index, key, fields } = item;
  if (result.status === 'refused') report.refused.push({ index, key, error: result.error });
  else if (result.status === 'created') {
    report.created++;
    report.changes?.push({ action: 'create', key, id: null, ...creation(fields) });
  } else if (result.status === 'updated') {
    report.updated++;
    const { title, fields: changed } = difference ?? { ...creation(fields), fields: {} };
    report.changes?.push({ action: 'update', key, id: result.id, title, fields: changed });
  } else report.unchanged++;
}

/** Returns what a new resource is called, and its fields, as they are stored. */
function creation(item: object): Pick<Difference, 'title' | 'fields'> {
  const stored = changesIn(item).map(
    ([field, value]) => [field, storedValue(value, field)] as const,
  );
  const pairs = stored.map(([field, value]) => [field, [null, value] as const] as const);
  return { title: titleOf(Object.fromEntries(stored)), fields: Object.fromEntries(pairs) };
}
