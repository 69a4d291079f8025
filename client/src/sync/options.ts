import type { CallOptions } from '../abort.ts';
import { checkOptions, expectOption } from '../option-rules.ts';
import type { CollectionNames } from '../resource.ts';
import { FIELDS } from '../fields.ts';

/** Which missing resources a sync may delete. */
export interface DeletionLimits<T> {
  /**
   * The maximum number of deletions, or the maximum share of what is owned, such as `'10%'`. If more resources are
   * missing, none is deleted. By default the larger of 10 and 10 %, but never more than half. What has no value in the
   * field of `match` does not count: it is never deleted.
   */
  readonly max?: number | `${number}%` | undefined;
  /**
   * When the items were read from their source; by default the time of the call. What was created or changed in the
   * service since then is kept. If the local clock is more than two seconds ahead of the service's, the difference is
   * subtracted.
   */
  readonly readAt?: Date | undefined;
  /** Sentences of yours that say why the list may be incomplete. If there is one, nothing is deleted. */
  readonly doubts?: readonly string[] | undefined;
  /**
   * The last word. Called before these resources, at most 100, are deleted, and in a dry run too. Returns the ids of those
   * that the source really does not have; the others are kept.
   */
  readonly confirm?:
    ((resources: readonly T[]) => readonly string[] | Promise<readonly string[]>) | undefined;
}

/** What only the service writes. */
type ReadOnlyField = 'id' | 'createdAt' | 'updatedAt';

export interface SyncOptions<T, Match extends string> extends CallOptions {
  /** The field that identifies an item. */
  readonly match: Match;
  /** The fields that a resource keeps if it exists. A new one gets them from its item. */
  readonly keep?: readonly Exclude<keyof T & string, ReadOnlyField>[] | undefined;
  /**
   * Whether a coupon code whose item has it in another case of A to Z keeps its own spelling. By default it gets that of the
   * item.
   */
  readonly keepSpelling?: boolean | undefined;
  /** Whether to delete what has no item; false by default. */
  readonly deleteMissing?: boolean | DeletionLimits<T> | undefined;
  /** Whether the list of items is responsible for a resource; by default for all. No other resource is deleted. */
  readonly owned?: ((resource: T) => boolean) | undefined;
  /** Whether to report what the sync would do, with its `changes`, and write nothing. */
  readonly dryRun?: boolean | undefined;
  /**
   * Called once the items are compared, and after each request that writes, with the number of items and deletions that
   * are done, and the total. A promise that it returns is waited for.
   */
  readonly onProgress?: ((progress: SyncProgress) => unknown) | undefined;
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
}

const SHARE = /^(\d+(?:\.\d+)?)%$/;

const OF_DELETIONS: readonly string[] = ['max', 'readAt', 'doubts', 'confirm'];
const OF_SYNC: readonly string[] = [
  'match',
  'keep',
  'keepSpelling',
  'owned',
  'dryRun',
  'onProgress',
  'signal',
  'timeout',
  'tries',
];

const MAX = "a number of 0 or more, or a share such as '10%'";

/** @throws TypeError or RangeError if an option cannot be used, or there is none of that name */
export function checkSyncOptions(
  options: SyncOptions<never, string>,
  path: CollectionNames['path'],
): void {
  expectOption(Object(options) === options, 'the options', 'an object');
  const { match, keep, keepSpelling, deleteMissing, owned, dryRun, onProgress, ...call } = options;
  const { signal, timeout, tries, ...rest } = call;
  // `dryrun: true` would write.
  expectKnown(rest, 'the options', OF_DELETIONS, 'in deleteMissing: { … }');
  checkOptions({ match, keepSpelling, owned, dryRun, onProgress, signal, timeout, tries }, 'match');
  const isList: boolean = keep === undefined || Array.isArray(keep);
  expectOption(isList, 'keep', 'a list of fields');
  const others = FIELDS[path].flatMap(({ name, kind }) =>
    kind === 'readOnly' || name === match ? [] : name,
  );
  for (const field of keep ?? []) {
    expectOption(others.includes(field), `${field}, which keep names,`, `one of ${others.join()}`);
  }
  if (deleteMissing === undefined || typeof deleteMissing === 'boolean') return;
  const isObject = Object(deleteMissing) === deleteMissing;
  expectOption(isObject, 'deleteMissing', 'a boolean, or { max, readAt, doubts, confirm }');
  const { max, readAt, doubts, confirm, ...unknown } = deleteMissing;
  expectKnown(unknown, 'deleteMissing', OF_SYNC, 'beside deleteMissing');
  const isMax = max === undefined || (typeof max === 'number' ? max >= 0 : SHARE.test(max));
  expectOption(isMax, 'deleteMissing.max', MAX, max);
  const isFunction = confirm === undefined || typeof confirm === 'function';
  expectOption(isFunction, 'deleteMissing.confirm', 'a function');
  const isDoubts = doubts === undefined || isListOfTexts(doubts);
  expectOption(isDoubts, 'deleteMissing.doubts', 'a list of sentences');
  if (readAt === undefined) return;
  const isTime = readAt instanceof Date && !Number.isNaN(readAt.getTime());
  expectOption(isTime, 'deleteMissing.readAt', 'a valid Date');
  const time = readAt.getTime();
  expectOption(time <= Date.now(), 'deleteMissing.readAt', 'no later than the local time', time);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** @param elsewhere the options that belong to another place */
function expectKnown(
  unknown: object,
  name: string,
  elsewhere: readonly string[],
  place: string,
): void {
  for (const option of Object.keys(unknown)) {
    expectOption(!elsewhere.includes(option), option, place);
    expectOption(false, name, `known: there is no ${option}`);
  }
}

/** Returns how many resources may be deleted. @param owned how many of them can be matched */
export function largestLoss(max: DeletionLimits<never>['max'], owned: number): number {
  if (typeof max === 'number') return max;
  const [, share] = SHARE.exec(max ?? '') ?? [];
  return share === undefined
    ? Math.min(Math.max(10, owned / 10), owned / 2)
    : (owned * Number(share)) / 100;
}
