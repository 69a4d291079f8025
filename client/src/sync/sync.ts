import { expectOption } from '../option-rules.ts';
import type { Pushed } from '../push.ts';
import type { SyncCollection } from './collection.ts';
import { executeSteps } from './execute-steps.ts';
import type { ItemList } from './item-list.ts';
import { readItems } from './item-list.ts';
import { onlyPlanned } from './only-planned.ts';
import type { SyncOptions } from './options.ts';
import { checkSyncOptions } from './options.ts';
import type { SyncPlan, SyncReport } from './report.ts';
import { planSteps } from './plan-steps.ts';

/** @throws as `Collection.sync` */
export async function sync<T extends Pushed>(
  collection: SyncCollection,
  items: Iterable<unknown> | AsyncIterable<unknown>,
  options: SyncOptions<T, string>,
): Promise<SyncReport> {
  const list = await readList(collection, items, options);
  const steps = await planSteps(collection, list, options);
  const { report, error } = await executeSteps(collection, steps, options);
  if (error !== undefined) throw error;
  return report;
}

/** @throws as `Collection.plan` */
export async function plan<T extends Pushed>(
  collection: SyncCollection,
  items: Iterable<unknown> | AsyncIterable<unknown>,
  options: SyncOptions<T, string>,
): Promise<SyncPlan> {
  // It would be executed all the same.
  expectOption(options.dryRun === undefined, 'dryRun', 'absent: a plan writes nothing by itself');
  const list = await readList(collection, items, options);
  const steps = await planSteps(collection, list, options);
  const trial = await executeSteps(collection, steps, { ...options, dryRun: true });
  if (trial.error !== undefined) throw trial.error;
  let isExecuted = false;
  return {
    ...trial.report,
    changes: trial.report.changes ?? [],
    execute: async () => {
      expectOption(!isExecuted, 'a plan', 'executed once: make another one');
      isExecuted = true;
      const now = await planSteps(collection, list, options);
      const { left, decided } = onlyPlanned(steps, trial.results, now);
      const { report, error } = await executeSteps(collection, left, options, undefined, decided);
      if (error !== undefined) throw error;
      return report;
    },
  };
}

/** Reads the items to their end. @throws as `Collection.sync` */
export async function readList<T>(
  { transport, names }: SyncCollection,
  items: Iterable<unknown> | AsyncIterable<unknown>,
  options: SyncOptions<T, string>,
): Promise<ItemList> {
  checkSyncOptions(options, names.path);
  return readItems(items, options.match, transport.limits(options).signals);
}
