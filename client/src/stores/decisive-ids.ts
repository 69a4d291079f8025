import type { AnyResource, ReadOptions } from './source.ts';

/** An id of the store, and what it is of: an answer about a product says nothing of a variant. */
export interface DecisiveId {
  readonly of: 'product' | 'variant';
  readonly id: string;
}

/**
 * Returns the ids of the store that must all be gone for a product of the service to be gone: its variant alone, even if it has
 * another product by now. Where it stands for a whole product, whose variants come and go, that of the product too.
 * @param isId whether the store can have given this id
 * @returns none if it has none, or one that is no id of the store, so that the store cannot be asked
 */
export function decisiveIds(
  { storeProductId: product, storeVariantId: variant }: AnyResource,
  { match, variants }: Pick<ReadOptions, 'match' | 'variants'>,
  isId: (value: unknown, of: DecisiveId['of']) => value is string,
): DecisiveId[] {
  const isWhole = match === 'storeProductId' || variants === 'first';
  const ids: { of: DecisiveId['of']; id: unknown }[] = [];
  if (variant != null) ids.push({ of: 'variant', id: variant });
  if (product != null && (isWhole || variant == null)) ids.push({ of: 'product', id: product });
  const known = ids.flatMap(({ of, id }) => (isId(id, of) ? [{ of, id }] : []));
  return known.length === ids.length ? known : [];
}
