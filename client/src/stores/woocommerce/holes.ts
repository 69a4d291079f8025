import type { AnyResource, SkippedPart } from '../source.ts';

/** A part of a list that the store counts, and does not give: what a plugin or an import has broken. */
export interface Hole {
  /** What it is of: `products`. */
  readonly nouns: string;
  readonly count: number;
  /** The id of the last entry before it; undefined if there is none. */
  readonly after: number | undefined;
  /** The id of the first entry behind it; undefined if there is none. */
  readonly before: number | undefined;
}

/** Returns a hole for the report. */
export function skippedHole({ nouns, count, after, before }: Hole): SkippedPart {
  const where =
    after === undefined && before === undefined
      ? 'in the whole list'
      : before === undefined
        ? `behind the id ${after ?? ''}`
        : after === undefined
          ? `before the id ${before}`
          : `between the ids ${after} and ${before}`;
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  const reason = `The store counts more ${nouns} than it gives: ${count} ${are} missing ${where}, as a plugin or an import may leave them. Look for ${them} in the admin of the store, and save or delete ${them}. Until then nothing there is deleted.`;
  return { key: null, reason, kind: 'problem' };
}

/** Whether a resource may be one of those that a list does not give. */
export function isInHole(
  { storeProductId, storeVariantId, storeDiscountId }: AnyResource,
  holes: readonly Hole[],
): boolean {
  const ids = [storeProductId, storeVariantId, storeDiscountId]
    .filter((id) => typeof id === 'string')
    .map(Number);
  return holes.some(({ after = -Infinity, before = Infinity }) =>
    ids.some((id) => id > after && id < before),
  );
}
