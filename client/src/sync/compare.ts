import { expectOption } from '../option-rules.ts';
import type { Pushed } from '../push.ts';
import { utcTime } from '../../../common/utc-time.ts';
import { FIELDS } from '../fields.ts';
import { ANY_CASE, composed, storedKey } from '../stored-text.ts';
import type { SyncCollection } from './collection.ts';
import { resourcesIn } from './list-stream.ts';
import type { ListedItem } from './item-list.ts';
import { changesIn } from './item-list.ts';
import type { SyncOptions } from './options.ts';
import { memberOf } from '../json.ts';

/** The difference between two clocks that means nothing, in milliseconds: a response says whole seconds. */
const LEAST_SKEW = 2000;

/** A resource without an item, as it was read. */
export interface Missing {
  readonly id: string;
  /** Its key, as the service spells it. */
  readonly key: string;
  readonly title: string;
  /** The whole resource as JSON. */
  readonly text: string;
}

/** A resource without a value in the field to match by, which no item can mean. */
export type Keyless = Readonly<Record<'source' | 'sku' | 'handle', unknown>>;

/** How an item differs from its resource. */
export interface Difference {
  /** Of the resource. */
  readonly id: string;
  readonly title: string;
  /** The old and the new value of each field that differs. */
  readonly fields: Readonly<Record<string, readonly [unknown, unknown]>>;
  /** What is sent of the item: without the fields of `keep`, and in the spelling of the resource with `keepSpelling`. */
  readonly sent: object;
}

/** How the service differs from a source. */
export interface Comparison {
  /** The items that have a resource: how they differ from it, or null if they are equal. */
  readonly matched: ReadonlyMap<ListedItem, Difference | null>;
  /** How many resources have each key, of those that several have. */
  readonly doubled: ReadonlyMap<string, number>;
  /** The owned resources without an item; those without a key are none of them. */
  readonly missing: readonly Missing[];
  readonly resources: number;
  readonly owned: number;
  /** How many of the owned ones have no key. */
  readonly unmatched: number;
  /** The resources without a key, owned or not. */
  readonly keyless: readonly Keyless[];
  /** How much the local clock is ahead of the service's, in milliseconds; 0 if that means nothing. */
  readonly skew: number;
}

/**
 * Reads the complete list once, with one request, and compares it with the items as it arrives.
 * @param items by their keys
 * @throws BrandApiError; what `owned` throws; TypeError if it returns no boolean
 */
export async function compare<T extends Pushed>(
  { transport, names }: SyncCollection,
  items: ReadonlyMap<string, ListedItem>,
  options: SyncOptions<T, string>,
): Promise<Comparison> {
  const { match, keep = [], keepSpelling = false, owned = () => true } = options;
  const limits = transport.limits(options);
  const request = { method: 'GET', path: names.path, isStreamed: true } as const;
  return transport.read(request, options, async (response) => {
    const ahead = Date.now() - Date.parse(response.headers.get('Date') ?? '');
    const skew = ahead > LEAST_SKEW ? ahead : 0;
    const matched = new Map<ListedItem, Difference | null>();
    const missing: Missing[] = [];
    const counts = new Map<string, number>();
    const keyless: Keyless[] = [];
    const total = { resources: 0, owned: 0, unmatched: 0 };
    for await (const resource of resourcesIn<T>(response, names.many, limits)) {
      total.resources++;
      const isOwned: unknown = owned(resource);
      if (typeof isOwned !== 'boolean') {
        // A promise would own everything. If it rejects, nobody else would know, and the process would end.
        Promise.resolve(isOwned).catch(() => undefined);
        expectOption(false, 'owned', 'a function that returns a boolean');
      }
      if (isOwned) total.owned++;
      const spelling: unknown = Reflect.get(resource, match);
      if (typeof spelling !== 'string') {
        if (isOwned) total.unmatched++;
        const [source, sku, handle] = ['source', 'sku', 'handle'].map((name) =>
          memberOf(resource, name),
        );
        keyless.push({ source, sku, handle });
        continue;
      }
      const key = storedKey(spelling, match);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const item = items.get(key);
      const title = titleOf(resource);
      const id = resource.id ?? '';
      if (item !== undefined) {
        const spelled = keepSpelling ? ownSpelling(item.fields, resource) : {};
        const sent = without(keep, { ...item.fields, ...spelled });
        const fields = item.isBare ? {} : differences(sent, resource);
        matched.set(item, Object.keys(fields).length > 0 ? { id, title, fields, sent } : null);
      } else if (isOwned) {
        missing.push({ id, key: spelling, title, text: JSON.stringify(resource) });
      }
    }
    const doubled = new Map([...counts].filter(([, count]) => count > 1));
    return { matched, doubled, missing, keyless, skew, ...total };
  });
}

/** Returns what a resource is called: a coupon code has no title. */
export function titleOf(resource: object): string {
  const title: unknown = Reflect.get(resource, 'title') ?? Reflect.get(resource, 'code');
  return typeof title === 'string' ? title : '';
}

/** Returns the values of a resource that are those of an item, whatever their case. */
function ownSpelling(item: object, resource: object): object {
  const own = ANY_CASE.filter((field) => {
    const [value, other] = [memberOf(item, field), memberOf(resource, field)];
    if (typeof value !== 'string' || typeof other !== 'string') return false;
    return storedKey(value, field) === storedKey(other, field);
  });
  return Object.fromEntries(own.map((field) => [field, memberOf(resource, field)]));
}

function without(names: readonly string[], object: object): object {
  const left = Object.entries<unknown>({ ...object }).filter(([name]) => !names.includes(name));
  return Object.fromEntries(left);
}

/** Returns the old and the new value of each field that an item changes, as they are stored. */
export function differences(item: object, resource: object): Difference['fields'] {
  const fields = changesIn(item).flatMap(([field, value]) => {
    const before = memberOf(resource, field);
    // Most values are equal as they are: then nothing has to be known of how the service stores them.
    if (before === value) return [];
    const after = storedValue(value, field);
    const isEqual = JSON.stringify(before) === JSON.stringify(after);
    return isEqual ? [] : [[field, [before, after]] as const];
  });
  return Object.fromEntries(fields);
}

/** The fields whose values are times. None has another meaning in another collection. */
const TIMES = new Set(
  Object.values(FIELDS).flatMap((fields) =>
    fields.flatMap(({ name, kind }) => (kind === 'time' ? name : [])),
  ),
);

/** Returns a value as the service stores it, if the service accepts it. */
export function storedValue(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => storedValue(one, field));
  if (typeof value !== 'string') return value;
  const text = composed(value.trim());
  // What is no time is sent as it is, and refused.
  return TIMES.has(field) ? utcTime(text) || text : text;
}
