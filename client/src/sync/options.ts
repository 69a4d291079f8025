import type { CallOptions } from '../abort.ts';
import { checkOptions, expectOption } from '../options.ts';

/** Which missing resources a sync may delete. */
export interface DeletionLimits {
  /**
   * The maximum number of deletions, or the maximum share of what is owned, such as `'10%'`. If more resources are
   * missing, none is deleted. By default the larger of 10 and 10 %.
   */
  readonly max?: number | `${number}%` | undefined;
  /**
   * When the items were read from their source; by default the time of the call. What was created or changed in the
   * service since then is kept.
   */
  readonly readAt?: Date | undefined;
}

/** The options of a sync. */
export interface SyncOptions<T, Match extends string> extends CallOptions {
  /** The field that identifies an item. */
  readonly match: Match;
  /** Whether to delete what has no item; false by default. */
  readonly deleteMissing?: boolean | DeletionLimits | undefined;
  /** Whether the list of items is responsible for a resource; by default for all. No other resource is deleted. */
  readonly owned?: ((resource: T) => boolean) | undefined;
  /** Whether to report what the sync would do, and write nothing. */
  readonly dryRun?: boolean | undefined;
  /**
   * Called once the items are compared, and after each request that writes, with the number of items and deletions that
   * are done, and the total.
   */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
}

/** The progress of a sync. */
export interface SyncProgress {
  readonly done: number;
  readonly total: number;
}

const SHARE = /^(\d+(?:\.\d+)?)%$/;

const MAX = "a number of 0 or more, or a share such as '10%'";

/** @throws TypeError or RangeError if an option cannot be used, or there is none of that name */
export function checkSyncOptions(options: SyncOptions<never, string>): void {
  const { match, deleteMissing, owned, dryRun, onProgress, signal, timeout, tries, ...others } =
    options;
  // `dryrun: true` would write.
  const [unknown] = Object.keys(others);
  expectOption(unknown === undefined, 'the options', `known: there is no ${unknown ?? ''}`);
  checkOptions({ match, dryRun, onProgress, signal, timeout, tries }, 'match');
  expectOption(owned === undefined || typeof owned === 'function', 'owned', 'a function');
  if (deleteMissing === undefined || typeof deleteMissing === 'boolean') return;
  expectOption(
    Object(deleteMissing) === deleteMissing,
    'deleteMissing',
    'a boolean, or { max, readAt }',
  );
  const { max, readAt, ...unknownLimits } = deleteMissing;
  const [unknownLimit] = Object.keys(unknownLimits);
  expectOption(
    unknownLimit === undefined,
    'deleteMissing',
    `known: there is no ${unknownLimit ?? ''}`,
  );
  const isMax = max === undefined || (typeof max === 'number' ? max >= 0 : SHARE.test(max));
  expectOption(isMax, 'deleteMissing.max', MAX, max);
  const isTime =
    readAt === undefined || (readAt instanceof Date && !Number.isNaN(readAt.getTime()));
  expectOption(isTime, 'deleteMissing.readAt', 'a valid Date');
}

/**
 * Returns how many resources may be deleted.
 * @param owned the number of resources that the list is responsible for
 */
export function largestLoss({ max }: DeletionLimits, owned: number): number {
  if (typeof max === 'number') return max;
  const [, share] = SHARE.exec(max ?? '') ?? [];
  return share === undefined ? Math.max(10, owned / 10) : (owned * Number(share)) / 100;
}
