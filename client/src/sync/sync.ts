import type { Pushed } from '../push.ts';
import type { SyncCollection } from './collection.ts';
import { executeSync } from './execute.ts';
import type { SyncOptions } from './options.ts';
import { planSync } from './plan.ts';
import type { SyncReport } from './report.ts';

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
