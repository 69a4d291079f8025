import type { LeftOutField, Obstacle } from './store-product.ts';
import type { Item, SkippedPart } from './source.ts';

/** A field that is left out of an item, and whether somebody must look at it. */
export type FieldObstacle = LeftOutField & Pick<Obstacle, 'kind'>;

/** The item of a part of a store with what is left out of it, or why there is none. */
export type ItemResult =
  | { readonly item: Item; readonly leftOut: readonly FieldObstacle[] }
  | { readonly obstacle: Obstacle };

/** A resource of the service that a part of a store describes. */
export interface Candidate {
  /** What to call it, if it has no key: `row 12`. */
  readonly place: string;
  /** The fields that can identify it. */
  readonly keys: Readonly<Record<string, string | null | undefined>>;
  readonly result: ItemResult;
  /** Whether nobody expects it in the service, because the service cannot hold anything of its kind. */
  readonly isForeign?: boolean | undefined;
}

/** The items of a store, and what is skipped. */
export interface ChosenItems {
  readonly items: readonly Item[];
  /** Where each item is. */
  readonly places: readonly string[];
  readonly skipped: readonly SkippedPart[];
  /** How many have no key, though the service may have their resources. */
  readonly unclear: number;
}

/** Says that a part of a store cannot be taken, and that somebody must look at it. */
export function problem(reason: string): { readonly obstacle: Obstacle } {
  return { obstacle: { reason, kind: 'problem' } };
}

/** Chooses the items that can be matched by a field. */
export function choose(candidates: readonly Candidate[], match: string): ChosenItems {
  const keyOf = ({ keys }: Candidate): string | null => keys[match] || null;
  const withHandles = new Map<string, Candidate>();
  for (const one of match === 'handle' ? [...candidates].reverse() : []) {
    const key = keyOf(one);
    if (key !== null) withHandles.set(key, one);
  }
  const items: Item[] = [];
  const places: string[] = [];
  const skipped: SkippedPart[] = [];
  for (const candidate of candidates) {
    const { place, result } = candidate;
    const key = keyOf(candidate);
    // Of those with one handle, the resource is that of the first one, even if that has no item.
    const first = withHandles.get(key ?? '') ?? candidate;
    if ('obstacle' in result) {
      const { reason, kind } = result.obstacle;
      skipped.push({ key, reason: key === null ? `${place}: ${reason}` : reason, kind });
    } else if (key === null) {
      skipped.push({ key, reason: `${place} has no ${match}`, kind: 'problem' });
    } else if (first !== candidate) {
      skipped.push({ key, reason: `${place} has the handle of ${first.place}`, kind: 'problem' });
    } else {
      items.push(result.item);
      places.push(place);
      for (const { field, reason, kind } of result.leftOut) {
        skipped.push({ key, field, reason: `${field}: ${reason}`, kind });
      }
    }
  }
  const unclear = candidates.filter((one) => keyOf(one) === null && one.isForeign !== true).length;
  return { items, places, skipped, unclear };
}

/** Returns the field by which all of the candidates have a key, if there is one. */
export function matchForAll(
  candidates: readonly Candidate[],
  matches: readonly string[],
): string | undefined {
  return matches.find((match) =>
    candidates.every(({ keys, isForeign }) => isForeign === true || Boolean(keys[match])),
  );
}
