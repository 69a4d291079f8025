import type { SyncReport } from '../../../index.ts';
import type { Confirmation, Content, SkippedPart } from '../../../stores/source.ts';
import { reportedReason, skippedPart } from '../../../stores/findings.ts';
import { problemsText } from '../../../problems.ts';

/** Returns a report as a person reads it: where items are in the source, and what the store says of a resource that is kept. */
export function readableReport(
  report: SyncReport,
  { places }: Content,
  reasons: Confirmation,
): SyncReport {
  const placeOf = (index: number): string => places[index] ?? `item ${index + 1}`;
  const refused = report.refused.map((one) => {
    const { index, key, error, sameAs } = one;
    const place = placeOf(index);
    if (key === null) return { ...one, error: `${place}: ${error}` };
    if (sameAs === undefined) return one;
    const message = `${placeOf(sameAs)} and ${place} have the value ${JSON.stringify(key)}`;
    const problems = one.problems.map(({ path }) => ({ path, message }));
    return { ...one, error: problemsText(problems), problems };
  });
  const kept = report.kept.map((one) => ({ ...one, reason: reasons.get(one.id) ?? one.reason }));
  return { ...report, kept, refused };
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
): { readonly report: SyncReport; readonly content: Content } {
  const parts = [...content.skipped, ...mended];
  const nameOf = (key: string | null, field?: string): string => JSON.stringify([key, field]);
  const leftOut = new Map(parts.map((one) => [nameOf(one.key, one.field), one]));
  const whole = new Map<string | null, SkippedPart>();
  for (const { key, problems } of report.refused) {
    // What is left out can only be required.
    const reasons = problems.map(({ path }) => leftOut.get(nameOf(key, path)));
    const all = reasons.filter((one) => one !== undefined);
    const first = all.find(({ kind }) => kind === 'problem') ?? all[0];
    if (all.length < reasons.length || first === undefined) continue;
    whole.set(key, skippedPart(key, { reason: reportedReason(first), kind: first.kind }));
  }
  const skipped = parts.filter(({ key }) => !whole.has(key));
  return {
    report: { ...report, refused: report.refused.filter(({ key }) => !whole.has(key)) },
    content: { ...content, skipped: [...skipped, ...whole.values()] },
  };
}
