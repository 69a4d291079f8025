import { COLLECTIONS } from '../../../fields.ts';
import type { JsonObject } from '../../../stores/json.ts';
import type { AnyResource, Content } from '../../../stores/source.ts';
import { storedKey } from '../../../stored.ts';
import type { SyncSteps } from '../../../sync/steps.ts';
import type { FieldValues } from '../../values.ts';
import type { SyncFlags } from './options.ts';

// What a source is responsible for: with `--delete`, those of these resources that it does not have are deleted.

export function ownedBy(
  { source, skipped, unsupportedVariants, isUnread }: Content,
  match: string,
  { only = new Map() }: SyncFlags,
): (resource: AnyResource) => boolean {
  // The source has them, or may have them, though they cannot be read.
  const unread = new Set(
    skipped.flatMap(({ key, field }) =>
      key === null || field !== undefined ? [] : storedKey(key, match),
    ),
  );
  const variants = new Set<unknown>(unsupportedVariants);
  const isUnsupported = ({ storeVariantId: id }: AnyResource): boolean =>
    // Without an id, it may be any of them.
    variants.size > 0 && (id == null || variants.has(id));
  return (resource) => {
    const key = resource[match];
    return (
      hasValues(resource, only) &&
      (source === undefined || resource['source'] === source) &&
      !(typeof key === 'string' && unread.has(storedKey(key, match))) &&
      !isUnsupported(resource) &&
      !isUnread?.(resource)
    );
  };
}

/** Says that `--only` finds nothing, which may be a mistake in its spelling. */
export function onlyNote(
  { found: { resources, owned } }: SyncSteps,
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
