import type { Findings, Omission, SkippedPart, StayingResource } from './source.ts';

/** Returns the findings of a source and of its parts as one. */
export function mergedFindings(...all: readonly Partial<Findings>[]): Findings {
  return {
    skipped: all.flatMap(({ skipped = [] }) => skipped),
    stays: all.flatMap(({ stays = [] }) => stays),
    doubts: [...new Set(all.flatMap(({ doubts = [] }) => doubts))],
    notes: all.flatMap(({ notes = [] }) => notes),
  };
}

export function skippedPart(
  key: string | null,
  { kind = 'problem', ...omission }: Omission,
): SkippedPart {
  return { key, ...omission, kind };
}

/** Returns the resources of what is skipped whole, as far as their keys are known. */
export function stayingBy(
  match: string | undefined,
  skipped: readonly SkippedPart[],
): StayingResource[] {
  return skipped.flatMap(({ key, field }) =>
    match === undefined || key === null || field !== undefined ? [] : { field: match, value: key },
  );
}

/** Returns the reason of an omission as people read it: it begins with the field. */
export function reportedReason({ field, reason }: Omission): string {
  return field === undefined ? reason : `${field}: ${reason}`;
}

/** The same behind the key of its resource. */
export function reportedLine({ key, ...omission }: Omission & Pick<SkippedPart, 'key'>): string {
  return key === null ? reportedReason(omission) : `${key}: ${reportedReason(omission)}`;
}

/** Returns omissions without those that say the same. */
export function distinct<T extends Omission>(all: readonly T[]): T[] {
  const seen = new Set(all.map(reportedReason));
  return all.filter((one) => seen.delete(reportedReason(one)));
}
