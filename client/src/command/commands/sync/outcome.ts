import { COLLECTIONS } from '../../../stores/fields.ts';
import { counted } from '../../../../../common/counted.ts';
import type { Profile, SyncReport, Tagged } from '../../../index.ts';
import type { SyncPlan } from '../../../sync/plan.ts';
import type { SyncFlags } from './options.ts';
import type { Content, SourceReading } from '../../../stores/source.ts';

/** What is known of a sync: all, or what there was when it ended early. */
export interface Outcome {
  readonly options: SyncFlags;
  readonly reading?: SourceReading;
  readonly profile?: Tagged<Profile>;
  /** Absent if the plan was not executed. */
  readonly executed?: Executed;
  /** Why it ended early, or could not be recorded, as sentences. */
  readonly error?: string | undefined;
  /** Whether the error is a mistake in the options, which only the content of the source could show. */
  readonly isMisused?: boolean;
}

/** A plan that was executed, and how far. */
export interface Executed {
  readonly plan: SyncPlan;
  readonly report: SyncReport;
  /** With what the execution left out. */
  readonly content: Content;
}

/** Something that was not done, and why. */
interface Omission {
  readonly key: string | null;
  readonly reason: string;
}

export function omissionsOf({
  report: { refused, kept },
  content: { skipped },
}: Executed): ReadonlyMap<'unsupported' | 'skipped' | 'refused' | 'kept', readonly Omission[]> {
  return new Map([
    // Nobody can help these.
    ['unsupported', skipped.filter(({ kind }) => kind === 'unsupported')],
    ['skipped', skipped.filter(({ kind }) => kind === 'problem')],
    ['refused', refused.map(({ key, error }) => ({ key, reason: error }))],
    ['kept', kept],
  ]);
}

/** Returns what somebody must look at, as a sentence; undefined if all that can be done is done. */
export function complaintOf({ error, executed, options }: Outcome): string | undefined {
  if (error !== undefined || executed === undefined) return error;
  const omissions = omissionsOf(executed);
  const { withheld } = executed.report;
  const { nouns } = COLLECTIONS[options.collection];
  const parts = hasAccepted(executed)
    ? []
    : [`the source has no ${nouns} that the service accepts`];
  for (const kind of ['refused', 'skipped'] as const) {
    const [first, ...others] = omissions.get(kind) ?? [];
    if (first !== undefined) parts.push(`${others.length + 1} ${kind} (${omissionLine(first)})`);
  }
  if (withheld > 0) parts.push(`${counted(withheld, 'deletion')} withheld`);
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

/** Whether the service has taken an item, or has one already. An item with its key alone is unchanged, even if it has none. */
export function hasAccepted({ report, plan }: Executed): boolean {
  const { created, updated, unchanged } = report;
  return created + updated > 0 || (unchanged > 0 && plan.found.matched.size > 0);
}

export function omissionLine({ key, reason }: Omission): string {
  return key === null ? reason : `${key}: ${reason}`;
}
