import { COLLECTIONS } from '../../../fields.ts';
import type { JsonObject } from '../../../stores/json-values.ts';
import type { AnyResource, Content, StayingResource } from '../../../stores/source.ts';
import { storedKey } from '../../../stored-text.ts';
import type { SyncSteps } from '../../../sync/plan-steps.ts';
import type { FieldValues } from '../../option-values.ts';
import type { SyncFlags } from './flags.ts';

// What a source is responsible for: with `--delete`, those of these resources that it does not have are deleted.

export function ownedBy(
  { source, stays }: Content,
  match: string,
  { only = new Map() }: SyncFlags,
): (resource: AnyResource) => boolean {
  const isStaying = stayingIn(stays, match);
  return (resource) =>
    hasValues(resource, only) &&
    (source === undefined || resource['source'] === source) &&
    !isStaying(resource);
}

/** The ids of a store. */
const IDS = ['storeProductId', 'storeVariantId', 'storeDiscountId'];

function stayingIn(
  stays: readonly StayingResource[],
  match: string,
): (resource: AnyResource) => boolean {
  const known = new Map<string, Set<string>>();
  for (const one of stays) {
    if (!('field' in one)) continue;
    const { field, value } = one;
    known.set(field, (known.get(field) ?? new Set()).add(storedKey(value, field)));
  }
  const gaps = stays.filter((one) => 'after' in one);
  return (resource) => {
    const ids = IDS.map((name) => Number(resource[name] ?? NaN));
    return (
      [...known].some(([field, keys]) => {
        const value = resource[field];
        // One without an id may be any of these. One without a key is none: no item means it.
        return typeof value === 'string' ? keys.has(storedKey(value, field)) : field !== match;
      }) || gaps.some(({ after, before }) => ids.some((id) => id > after && id < before))
    );
  };
}

/** Says that `--only` finds nothing, which may be a mistake in its spelling. */
export function onlyNote(
  { comparison: { resources, owned } }: SyncSteps,
  { items }: Content,
  { only = new Map(), collection }: SyncFlags,
): string[] {
  const isFirst = items.some((item) => hasValues(item, only));
  if (resources === 0 || owned > 0 || isFirst || only.size === 0) return [];
  const all = [...only].map(([field, each]) => `${field}=${each.join(' or ')}`);
  return [
    `None of the ${COLLECTIONS[collection].nouns} in the service that the source may delete has ${all.join(' and ')} (--only): none is deleted.`,
  ];
}

function hasValues(resource: JsonObject, values: FieldValues): boolean {
  return [...values].every(([field, each]) => each.includes(String(resource[field])));
}
