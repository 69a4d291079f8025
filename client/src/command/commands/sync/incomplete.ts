import type { SyncReport } from '../../../index.ts';
import type { Content, Skipped } from '../../../stores/source.ts';

/**
 * Skips as a whole what the service refuses because it is new, and lacks a field that was left out: nobody could correct the item,
 * only the value in the store.
 */
export function skipIncomplete(
  report: SyncReport,
  content: Content,
): { readonly report: SyncReport; readonly content: Content } {
  const leftOut = Map.groupBy(
    content.skipped.filter(({ field }) => field !== undefined),
    ({ key }) => key,
  );
  const skipped = new Map<string | null, Skipped>();
  for (const { key, error } of report.refused) {
    const lacking = leftOut
      .get(key)
      ?.filter(({ field }) => error.includes(`${field ?? ''}: required`));
    const isAll = error.split('; ').every((one) => one.endsWith(': required'));
    const [first] = lacking ?? [];
    if (!first || !isAll || lacking?.length !== error.split('; ').length) continue;
    const { field = '', reason, kind } = lacking.find((one) => one.kind === 'problem') ?? first;
    skipped.set(key, { key, reason: reason.replace(`${field}: `, ''), kind });
  }
  if (skipped.size === 0) return { report, content };
  return {
    report: { ...report, refused: report.refused.filter(({ key }) => !skipped.has(key)) },
    content: {
      ...content,
      skipped: [...content.skipped.filter(({ key }) => !skipped.has(key)), ...skipped.values()],
    },
  };
}
