import type { CallOptions } from '../abort.ts';
import type { CollectionNames } from '../collection-names.ts';
import { BrandApiError } from '../error.ts';
import { storedKey, storedValue } from '../stored.ts';
import type { Transport } from '../transport.ts';
import { objectsOf } from './list-stream.ts';
import type { SourceItem } from './source.ts';

/** How often the list is read if it breaks off. */
const READS = 3;

/** Fields that a push ignores. */
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

/** A resource without an item, as it was read. */
export interface Missing {
  readonly id: string;
  /** Its key, as the service spells it. */
  readonly key: string;
  /** The whole resource as JSON. */
  readonly text: string;
}

/** How the service differs from a source. */
export interface Comparison {
  /** The items that are equal in the service. */
  readonly equal: ReadonlySet<SourceItem>;
  /** How many resources have each key, of those that several have. */
  readonly doubled: ReadonlyMap<string, number>;
  /** The owned resources without an item; those without a key are none of them. */
  readonly missing: readonly Missing[];
  /** The number of owned resources with a key. */
  readonly owned: number;
}

/** What to compare. */
export interface Compared<T> {
  readonly names: CollectionNames;
  readonly match: string;
  /** By key. */
  readonly items: ReadonlyMap<string, SourceItem>;
  readonly owned: (resource: T) => boolean;
}

/**
 * Reads the complete list once, with one request, and compares it with the items. If it breaks off, reads it again: the
 * transport retries only what has not begun.
 * @throws BrandApiError; what `owned` throws
 */
export async function compare<T extends { readonly id: string | null }>(
  transport: Transport,
  compared: Compared<T>,
  options: CallOptions,
): Promise<Comparison> {
  for (let left = READS; ; left--) {
    const response = { hasBegun: false };
    const begin = (): void => {
      response.hasBegun = true;
    };
    try {
      return await compareOnce(transport, compared, options, begin);
    } catch (error) {
      const isBrokenOff =
        response.hasBegun && error instanceof BrandApiError && error.status === undefined;
      if (!isBrokenOff || left === 1) throw error;
    }
  }
}

async function compareOnce<T extends { readonly id: string | null }>(
  transport: Transport,
  { names, match, items, owned }: Compared<T>,
  options: CallOptions,
  begin: () => void,
): Promise<Comparison> {
  const equal = new Set<SourceItem>();
  const missing: Missing[] = [];
  const counts = new Map<string, number>();
  let total = 0;
  const pieces = transport.stream({ method: 'GET', path: names.path }, options, begin);
  const { timeout } = transport.limits(options);
  for await (const resource of objectsOf<T>(pieces, names.many, timeout)) {
    const spelling: unknown = Reflect.get(resource, match);
    if (typeof spelling !== 'string') continue;
    const key = storedKey(spelling, match);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const isOwned = owned(resource);
    if (isOwned) total++;
    const item = items.get(key);
    if (item !== undefined) {
      if (isEqual(item.fields, resource)) equal.add(item);
    } else if (isOwned) {
      missing.push({ id: resource.id ?? '', key: spelling, text: JSON.stringify(resource) });
    }
  }
  const doubled = new Map([...counts].filter(([, count]) => count > 1));
  return { equal, doubled, missing, owned: total };
}

/** Whether a resource has all that an item says. */
function isEqual(item: object, resource: object): boolean {
  return Object.entries(item).every(
    ([field, value]) =>
      value === undefined ||
      READ_ONLY.has(field) ||
      JSON.stringify(storedValue(value, field)) === JSON.stringify(Reflect.get(resource, field)),
  );
}
