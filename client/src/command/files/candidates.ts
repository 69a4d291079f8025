import type { Item, SkippedRow } from './store-file.ts';

/** Why a row of an export cannot become an item. */
export class Problem extends Error {}

/** The fields of an export that can identify a product. Each is null if the product has none. */
export interface Keys {
  readonly handle: string | null;
  readonly sku: string | null;
  readonly storeProductId?: string | null;
  readonly storeVariantId?: string | null;
}

/** A product of the service that an export describes. */
export interface Candidate {
  /** What to call it, if it has no key: `row 12`. */
  readonly name: string;
  readonly keys: Keys;
  /** The item, or why there is none. */
  readonly result: Item | string;
}

/** The items of an export, and what is skipped. */
export interface Chosen {
  readonly items: readonly Item[];
  readonly skipped: readonly SkippedRow[];
  /** Whether a product has no key, although every product of the store has one. */
  readonly lacksKeys: boolean;
}

/** Returns what a function reads, or why it cannot be read. */
export function resultOf<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.message;
  }
}

/**
 * Chooses the items that can be matched by a field. Of those with one handle, it is the first one, even if that is skipped: its
 * resource is not the other's.
 */
export function choose(candidates: readonly Candidate[], match: keyof Keys): Chosen {
  const items: Item[] = [];
  const skipped: SkippedRow[] = [];
  const handles = new Map<string, string>();
  let lacksKeys = false;
  for (const { name, keys, result } of candidates) {
    const key = keys[match] ?? null;
    const earlier = match === 'handle' && key !== null ? handles.get(key) : undefined;
    // A product without an SKU is usual, and no resource without one is deleted.
    lacksKeys ||= key === null && match !== 'sku';
    if (key !== null && earlier === undefined) handles.set(key, name);
    if (typeof result === 'string') {
      skipped.push({ key, reason: key === null ? `${name}: ${result}` : result });
    } else if (key === null) skipped.push({ key, reason: `${name} has no ${match}` });
    else if (earlier === undefined) items.push(result);
    else skipped.push({ key, reason: `${name} has the handle of ${earlier}` });
  }
  return { items, skipped, lacksKeys };
}
