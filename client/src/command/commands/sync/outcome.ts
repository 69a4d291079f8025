import { COLLECTIONS } from '../../../stores/fields.ts';
import { counted } from '../../../../../common/counted.ts';
import type { Profile, SyncReport, Tagged } from '../../../index.ts';
import type { SyncPlan } from '../../../sync/plan.ts';
import type { SyncFlags } from './options.ts';
import { EXIT } from '../../failure.ts';
import type { Content, SourceReading } from '../../../stores/source.ts';

/** What is known of a sync: all, or what there was when it ended early. */
export interface Outcome {
  readonly options: SyncFlags;
  readonly reading?: SourceReading;
  /** The profile of the brand, if it was read. */
  readonly profile?: Tagged<Profile>;
  readonly plan?: SyncPlan;
  /** What the execution did; absent if it did not begin. */
  readonly report?: SyncReport;
  /** Why it ended early, or could not be recorded, as sentences. */
  readonly error?: string | undefined;
  /** Whether the error is a mistake in the options, which only the content of the source could show. */
  readonly isMisused?: boolean;
}

/** The report of a sync that did not come to its execution. */
export const NOTHING_DONE: SyncReport = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  withheld: 0,
  unmatched: 0,
  kept: [],
  refused: [],
};

/** Returns the skipped parts of a content that somebody must look at, and those that nobody can help. */
export function skippedOf(content: Content | undefined): {
  readonly problems: Content['skipped'];
  readonly unsupported: Content['skipped'];
} {
  const skipped = content?.skipped ?? [];
  return {
    problems: skipped.filter(({ kind }) => kind === 'problem'),
    unsupported: skipped.filter(({ kind }) => kind === 'unsupported'),
  };
}

/** Returns what somebody must look at, as a sentence; undefined if all that can be done is done. */
export function complaintOf(outcome: Outcome): string | undefined {
  const { error, reading, report = NOTHING_DONE, options } = outcome;
  if (error !== undefined) return error;
  const { nouns } = COLLECTIONS[options.collection];
  const { refused, withheld } = report;
  const { problems } = skippedOf(reading?.content);
  const [firstRefused] = refused;
  const [firstProblem] = problems;
  const parts = [
    ...(hasAccepted(outcome) ? [] : [`the source has no ${nouns} that the service accepts`]),
    ...(firstRefused === undefined
      ? []
      : [`${refused.length} refused (${named(firstRefused.key)}${firstRefused.error})`]),
    ...(firstProblem === undefined
      ? []
      : [`${problems.length} skipped (${named(firstProblem.key)}${firstProblem.reason})`]),
    ...(withheld === 0 ? [] : [`${counted(withheld, 'deletion')} withheld`]),
  ];
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

/** Whether the service has taken an item, or has one already. An item with its key alone is unchanged, even if it has none. */
export function hasAccepted({ report = NOTHING_DONE, plan }: Outcome): boolean {
  const { created, updated, unchanged } = report;
  return (
    created + updated > 0 || (unchanged > 0 && plan !== undefined && plan.found.matched.size > 0)
  );
}

export function exitCodeOf(outcome: Outcome): number {
  if (outcome.isMisused) return EXIT.usage;
  return complaintOf(outcome) === undefined ? EXIT.done : EXIT.failed;
}

/** Returns a key as the beginning of a line. */
export function named(key: string | null): string {
  return key === null ? '' : `${key}: `;
}
