import { storedKey } from '../../../stored.ts';
import type { SyncReport } from '../../../index.ts';
import type { Content } from '../../../stores/source.ts';

/**
 * Returns a report as a person reads it: where items are in the source, and why the store keeps a resource.
 * @param reasons why resources are kept, by their ids
 */
export function readableReport(
  report: SyncReport,
  { items, places }: Content,
  match: string,
  reasons: ReadonlyMap<string, string>,
): SyncReport {
  const first = new Map<string, number>();
  for (const [index, { [match]: value }] of report.refused.length === 0 ? [] : items.entries()) {
    const key = typeof value === 'string' ? storedKey(value, match) : undefined;
    if (key !== undefined && !first.has(key)) first.set(key, index);
  }
  const refused = report.refused.map((one) => {
    const { index, key, error } = one;
    const place = places[index] ?? `item ${index + 1}`;
    if (key === null) return { ...one, error: `${place}: ${error}` };
    const earlier = first.get(storedKey(key, match)) ?? index;
    if (earlier >= index) return one;
    const both = `${places[earlier] ?? ''} and ${place}`;
    return { ...one, error: `${match}: ${both} have the value ${JSON.stringify(key)}` };
  });
  const kept = report.kept.map((one) => ({ ...one, reason: reasons.get(one.id) ?? one.reason }));
  return { ...report, kept, refused };
}
