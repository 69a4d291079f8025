import { COLLECTIONS } from '../../../fields.ts';
import { counted } from '../../../../../common/counted.ts';
import type { Profile, Tagged } from '../../../index.ts';
import type { Execution } from '../../../sync/execute-steps.ts';
import type { SyncSteps } from '../../../sync/plan-steps.ts';
import type { SyncFlags } from './flags.ts';
import { reportedLine } from '../../../stores/findings.ts';
import type { Content, SkippedPart, SourceReading } from '../../../stores/source.ts';

/** What is known of a sync: all, or what there was when it ended early. */
export interface Outcome {
  readonly options: SyncFlags;
  readonly reading?: SourceReading;
  readonly profile?: Tagged<Profile>;
  /** Absent if nothing was begun. */
  readonly executed?: Executed;
  /** Why it ended early, or could not be recorded, as sentences. */
  readonly error?: string | undefined;
  /** Whether the error is a mistake in the options, which only the content of the source could show. */
  readonly isMisused?: boolean;
}

/** Steps that were executed, and how far. */
export interface Executed extends Pick<Execution, 'report' | 'hasAccepted'> {
  readonly steps: SyncSteps;
  /** With what the execution left out. */
  readonly content: Content;
}

/** Returns what was not done, and why, as lines. */
export function omissionsOf({
  report: { refused, kept },
  content: { skipped },
}: Executed): ReadonlyMap<'unsupported' | 'skipped' | 'refused' | 'kept', readonly string[]> {
  const linesOf = (kind: SkippedPart['kind']): string[] =>
    skipped.filter((one) => one.kind === kind).map(reportedLine);
  return new Map([
    // Nobody can help these.
    ['unsupported', linesOf('unsupported')],
    ['skipped', linesOf('problem')],
    ['refused', refused.map(({ key, error }) => reportedLine({ key, reason: error }))],
    ['kept', kept.map(reportedLine)],
  ]);
}

/** Returns what somebody must look at, as a sentence; undefined if all that can be done is done. */
export function complaintOf({ error, executed, options }: Outcome): string | undefined {
  if (error !== undefined || executed === undefined) return error;
  const omissions = omissionsOf(executed);
  const { withheld } = executed.report;
  const { nouns } = COLLECTIONS[options.collection];
  const parts = executed.hasAccepted ? [] : [`the source has no ${nouns} that the service accepts`];
  for (const kind of ['refused', 'skipped'] as const) {
    const [first, ...others] = omissions.get(kind) ?? [];
    if (first !== undefined) parts.push(`${others.length + 1} ${kind} (${first})`);
  }
  if (withheld > 0) parts.push(`${counted(withheld, 'deletion')} withheld`);
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}
