import type { LeftOutField, Obstacle } from './store-product.ts';
import type { Content, Item, SkippedPart } from './source.ts';

/** A resource of the service that a part of a store describes: its item, or why it has none. */
export type Candidate = {
  /** What to call it, if it has no key: `row 12`. */
  readonly place: string;
  /** The fields that can identify it. */
  readonly keys: Readonly<Record<string, string | null | undefined>>;
} & (
  | { readonly item: Item; readonly leftOut: readonly LeftOutField[] }
  | { readonly obstacle: Obstacle }
);

/** The items of a store, and what is skipped. */
export interface ChosenItems extends Pick<Content, 'items' | 'places' | 'skipped'> {
  /** How many have no key, though the service may have their resources. */
  readonly unclear: number;
}

/** Chooses the items that can be matched by a field. */
export function choose(candidates: readonly Candidate[], match: string): ChosenItems {
  const items: Item[] = [];
  const places: string[] = [];
  const skipped: SkippedPart[] = [];
  const withHandles = new Map<string | null, Candidate>();
  let unclear = 0;
  for (const candidate of candidates) {
    const { place } = candidate;
    const key = candidate.keys[match] || null;
    if (key === null && !isForeign(candidate)) unclear++;
    // Of those with one handle, the resource is that of the first one, even if that has no item.
    const first = withHandles.get(key);
    if (match === 'handle' && first === undefined) withHandles.set(key, candidate);
    if ('obstacle' in candidate) {
      const { reason, kind } = candidate.obstacle;
      skipped.push({ key, reason: key === null ? `${place}: ${reason}` : reason, kind });
    } else if (key === null) {
      skipped.push({ key, reason: `${place} has no ${match}`, kind: 'problem' });
    } else if (first !== undefined) {
      skipped.push({ key, reason: `${place} has the handle of ${first.place}`, kind: 'problem' });
    } else {
      items.push(candidate.item);
      places.push(place);
      for (const { field, reason, kind = 'problem' } of candidate.leftOut) {
        skipped.push({ key, field, reason: `${field}: ${reason}`, kind });
      }
    }
  }
  return { items, places, skipped, unclear };
}

/** Returns the field by which all of the candidates have a key, if there is one. */
export function matchForAll(
  candidates: readonly Candidate[],
  matches: readonly string[],
): string | undefined {
  return matches.find((match) =>
    candidates.every((candidate) => isForeign(candidate) || Boolean(candidate.keys[match])),
  );
}

/** Whether nobody expects it in the service, because the service cannot hold anything of its kind. */
function isForeign(candidate: Candidate): boolean {
  return 'obstacle' in candidate && candidate.obstacle.kind === 'unsupported';
}
