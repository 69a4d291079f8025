import { counted } from '../../../../../common/counted.ts';
import { storedKey } from '../../../stored.ts';
import type { SyncPlan } from '../../../sync/plan.ts';
import type { FieldValue } from '../../where.ts';
import { valuesByField } from '../../where.ts';
import type { AnyResource, Content, Item } from '../../../stores/source.ts';
import { Failure } from '../../../stores/failure.ts';
import { COLLECTIONS } from '../../../stores/fields.ts';
import type { SyncFlags } from './options.ts';

// What a source is responsible for: with `--delete`, those of these resources that it does not have are deleted.

/** The fields that can give products of a store their ids, once. */
const OTHER_MATCHES = '--match handle or --match sku';

/** Returns whether a source is responsible for a resource. */
export function ownedBy(
  { source, skipped, isUnread }: Content,
  match: string,
  only: readonly FieldValue[] | undefined,
): (resource: AnyResource) => boolean {
  // The source has them, or may have them, though they cannot be read.
  const unread = new Set(
    skipped.flatMap(({ key, field }) =>
      key === null || field !== undefined ? [] : storedKey(key, match),
    ),
  );
  const values = valuesByField(only);
  return (resource) => {
    const key = resource[match];
    return (
      hasValues(resource, values) &&
      (source === undefined || resource['source'] === source) &&
      !(typeof key === 'string' && unread.has(storedKey(key, match))) &&
      !isUnread?.(resource)
    );
  };
}

/**
 * Refuses a sync that would create all products of a store again, because those of the service were made without the store's
 * ids, whichever of them it may delete.
 * @throws Failure that says how they get their ids
 */
export function checkIds(
  { found, count }: SyncPlan,
  { source }: Content,
  match: string,
  options: SyncFlags,
): void {
  if (source === undefined || options.match !== undefined) return;
  const { keyless, matched } = found;
  const without = keyless.get(source) ?? 0;
  if (without === 0 || matched.size > 0 || count === 0) return;
  throw new Failure(
    `The service has ${counted(without, 'product')} without ${match}, and none that matches: nothing was changed. Run it once with ${OTHER_MATCHES}, which gives them their ids.`,
  );
}

/** Says that `--only` finds nothing, which may be a mistake in its spelling. */
export function onlyNote(
  { found: { resources, owned } }: SyncPlan,
  { items }: Content,
  { only, collection }: SyncFlags,
): string[] {
  const values = valuesByField(only);
  const isFirst = items.some((item) => hasValues(item, values));
  if (resources === 0 || owned > 0 || isFirst || values.size === 0) return [];
  const all = [...values].map(([field, each]) => `${field}=${each.join(' or ')}`);
  return [
    `None of the ${COLLECTIONS[collection].nouns} in the service that the source may delete has ${all.join(' and ')} (--only): none is deleted.`,
  ];
}

function hasValues(
  resource: AnyResource | Item,
  values: ReadonlyMap<string, readonly string[]>,
): boolean {
  return [...values].every(([field, each]) => each.includes(String(resource[field])));
}
