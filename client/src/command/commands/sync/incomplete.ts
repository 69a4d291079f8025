import type { SyncReport } from '../../../index.ts';
import type { Content, SkippedPart } from '../../../stores/source.ts';

/** What a sync did, with what it left out of the content. */
interface SettledReport {
  readonly report: SyncReport;
  readonly content: Content;
}

/**
 * Skips as a whole what the service refuses because it is new, and lacks a field that was left out: nobody could correct the item,
 * only the value in the store.
 * @param mended what was left out because the service refuses it
 */
export function skipIncomplete(
  report: SyncReport,
  content: Content,
  mended: readonly SkippedPart[],
): SettledReport {
  const leftOut = new Map<string | null, SkippedPart[]>();
  const parts = [...content.skipped, ...mended];
  for (const one of parts) {
    if (one.field !== undefined) leftOut.set(one.key, [...(leftOut.get(one.key) ?? []), one]);
  }
  const whole = new Map<string | null, SkippedPart>();
  for (const { key, error } of report.refused) {
    const lacking = requiredIn(error);
    const all = leftOut.get(key) ?? [];
    const reasons = all.filter(({ field = '' }) => lacking?.includes(field));
    const isExplained = lacking?.every((name) => reasons.some(({ field }) => field === name));
    const [first] = [...reasons].sort((a, b) => a.kind.localeCompare(b.kind));
    if (isExplained !== true || first === undefined) continue;
    // Only a field that is left out alone is the beginning of a reason. The reader says it in a sentence; the service does not.
    const reason = mended.includes(first)
      ? `its ${first.reason}`
      : first.reason.slice(`${first.field ?? ''}: `.length);
    whole.set(key, { key, reason, kind: first.kind });
  }
  const skipped = parts.filter(({ key }) => !whole.has(key));
  return {
    report: { ...report, refused: report.refused.filter(({ key }) => !whole.has(key)) },
    content: { ...content, skipped: [...skipped, ...whole.values()] },
  };
}

/** Returns the fields that a refusal says are missing; undefined if it has another reason. */
function requiredIn(error: string): string[] | undefined {
  const fields = error.split('; ').map((one) => /^(\w+): required$/.exec(one)?.[1]);
  return fields.includes(undefined) ? undefined : fields.filter((one) => one !== undefined);
}
