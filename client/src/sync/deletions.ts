import type { CallOptions } from '../abort.ts';
import { wait, within } from '../abort.ts';
import { expectOption } from '../options.ts';
import { declared } from '../resource.ts';
import { storedKey } from '../stored.ts';
import { deleteAsRead } from './delete-as-read.ts';
import type { SyncCollection } from './collection.ts';
import type { DeletionLimits } from './options.ts';
import { largestLoss } from './options.ts';
import type { SyncReport } from './report.ts';
import type { Comparison, Missing } from './compare.ts';

/** How many resources are looked at and confirmed at once. A request has at most 100 values of filters: these, and a time. */
const BATCH = 99;

/** How many resources are deleted at once. */
const AT_ONCE = 6;

/**
 * The pause before the next deletion begins, in milliseconds. Each takes two requests, and a key has 1,000 in ten seconds,
 * which other programs may share.
 */
const PACE = 25;

/** A sync that has written all items, and what it may delete. */
export interface DeletionRun<T> {
  readonly collection: SyncCollection;
  readonly match: string;
  readonly limits: DeletionLimits<T>;
  /** When the items were read, by the clock of the service. */
  readonly readAt: Date;
  readonly dryRun: boolean;
  readonly found: Comparison;
  /** Whether no item was accepted, or nobody can tell which resource one means. */
  readonly isDoubtful: boolean;
  readonly report: SyncReport;
  readonly options: CallOptions;
  readonly signals: readonly AbortSignal[];
  /** Reports that a number of deletions is done, or that there are so many more. */
  readonly advance: (done: number, more?: number) => Promise<void>;
}

/**
 * Deletes the missing resources, unless there are too many, or the list of items is doubtful. Adds to the report what
 * becomes of each.
 * @throws BrandApiError; what `confirm` throws; the reason of a signal
 */
export async function deleteMissing<T>(run: DeletionRun<T>): Promise<void> {
  const { dryRun, report, signals, advance } = run;
  const doomed = candidates(run);
  if (isWithheld(run, doomed.length)) {
    report.withheld = doomed.length;
    for (const one of doomed) note(report, 'withhold', one);
    return;
  }
  if (doomed.length > 0) await advance(0, doomed.length);
  for (let at = 0; at < doomed.length; at += BATCH) {
    const batch = doomed.slice(at, at + BATCH);
    const confirmed = await confirm(run, await untouched(run, batch));
    if (confirmed.length < batch.length) await advance(batch.length - confirmed.length);
    if (dryRun) {
      for (const one of confirmed) note(report, 'delete', one);
      report.deleted += confirmed.length;
      await advance(confirmed.length);
    } else {
      await deleteAll(run, paced(confirmed, signals));
    }
  }
}

/** Returns the missing resources that an item, or another resource, does not keep. */
function candidates<T>({ match, found, report }: DeletionRun<T>): Missing[] {
  const refused = new Set(report.refused.map(({ key }) => loose(key, match)));
  return found.missing.filter((one) => {
    const count = found.doubled.get(storedKey(one.key, match));
    if (count !== undefined) keep(report, one, `${count} resources have this ${match}`);
    else if (refused.has(loose(one.key, match))) {
      keep(report, one, 'an item with this key was refused');
    } else return true;
    return false;
  });
}

/** Whether so many resources must not be deleted. */
function isWithheld<T>(
  { match, limits, found, isDoubtful, report }: DeletionRun<T>,
  count: number,
): boolean {
  return (
    isDoubtful ||
    report.refused.some(({ key }) => loose(key, match) === '') ||
    count > largestLoss(limits, found.owned)
  );
}

/**
 * Returns a key as it is compared, without what only a refused spelling of it may have: control characters, and the white
 * space that some of them are. It is empty if nobody can read it.
 */
function loose(key: string | null, match: string): string {
  return storedKey((key ?? '').replace(/[\s\p{C}]+/gu, ''), match);
}

/** Returns the resources that were not changed after the items were read. */
async function untouched<T>(
  { collection, readAt, options, report }: DeletionRun<T>,
  batch: readonly Missing[],
): Promise<readonly Missing[]> {
  const ids = batch.map(({ id }) => id);
  const recent = new Set<string | null>();
  const changes = collection.changedSince(readAt.toISOString(), ids, options);
  for await (const { id } of changes) recent.add(id);
  return batch.filter((one) => {
    const isRecent = recent.has(one.id);
    if (isRecent) keep(report, one, 'it was changed after the items were read');
    return !isRecent;
  });
}

/** Returns the resources of which the source says that it does not have them. */
async function confirm<T>(
  { limits, report, signals }: DeletionRun<T>,
  batch: readonly Missing[],
): Promise<readonly Missing[]> {
  const ask = limits.confirm;
  if (ask === undefined || batch.length === 0) return batch;
  const resources = batch.map(({ text }) => declared<T>(JSON.parse(text)));
  const ids: unknown = await within(async () => ask(resources), Infinity, signals);
  expectOption(Array.isArray(ids), 'the result of deleteMissing.confirm', 'a list of ids');
  const gone = new Set<unknown>(ids);
  for (const one of batch) {
    if (!gone.has(one.id)) keep(report, one, 'the source does not confirm that it is gone');
  }
  return batch.filter(({ id }) => gone.has(id));
}

/** Deletes several resources at once. If that fails, begins no more, and waits for those that it has begun. */
async function deleteAll<T>(
  { collection, report, options, signals, advance }: DeletionRun<T>,
  queue: AsyncIterable<Missing>,
): Promise<void> {
  const work = async (): Promise<void> => {
    for await (const one of queue) {
      const outcome = await deleteAsRead(collection, one, options, signals);
      if (outcome === 'deleted') report.deleted++;
      else if (outcome === 'changed') keep(report, one, 'it was changed during the sync');
      await advance(1);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Yields resources one after the other, with pauses. */
async function* paced(
  resources: readonly Missing[],
  signals: readonly AbortSignal[],
): AsyncGenerator<Missing, void> {
  for (const one of resources) {
    yield one;
    await wait(PACE, signals);
  }
}

function keep(report: SyncReport, { id, key }: Missing, reason: string): void {
  report.kept.push({ id, key, reason });
}

function note(
  { changes }: SyncReport,
  action: 'delete' | 'withhold',
  { id, key, title }: Missing,
): void {
  changes?.push({ action, key, id, title });
}
