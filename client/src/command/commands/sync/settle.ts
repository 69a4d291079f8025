import type { SyncReport } from '../../../index.ts';
import type { Confirmation, Content, SkippedPart } from '../../../stores/source.ts';
import { problemsOf } from './mend.ts';

/** How the library says that an earlier item, which it counts from 0, has the same key. */
const SAME_KEY = /^(\w+): item (\d+) has (the value .*) too$/s;

/** Returns a report as a person reads it: where items are in the source, and why the store keeps a resource. */
export function readableReport(
  report: SyncReport,
  { places }: Content,
  reasons: Confirmation,
): SyncReport {
  const placeOf = (index: number): string => places[index] ?? `item ${index + 1}`;
  const refused = report.refused.map((one) => {
    const place = placeOf(one.index);
    if (one.key === null) return { ...one, error: `${place}: ${one.error}` };
    const error = one.error.replace(
      SAME_KEY,
      (_, field: string, earlier: string, value: string) =>
        `${field}: ${placeOf(Number(earlier))} and ${place} have ${value}`,
    );
    return { ...one, error };
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
  for (const { key, error } of report.refused) {
    const reasons = problemsOf(error).map(({ path, message }) =>
      message === 'required' ? leftOut.get(nameOf(key, path)) : undefined,
    );
    const all = reasons.filter((one) => one !== undefined);
    const first = all.find(({ kind }) => kind === 'problem') ?? all[0];
    if (all.length < reasons.length || first === undefined) continue;
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
