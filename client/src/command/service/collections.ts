import type { JsonObject } from '../../stores/json-values.ts';
import type { AnyResource } from '../../stores/source.ts';
import { Option } from 'commander';
import type { SyncCollection } from '../../sync/collection.ts';
import type { BrandClient, CallOptions, ChangesPage, FollowOptions } from '../../index.ts';
import type { CollectionName } from '../../fields.ts';
import { COLLECTION_NAMES, COLLECTIONS } from '../../fields.ts';
import { listOf } from '../../../../common/list-of.ts';

/**
 * A collection of the client. Fields and filters come from a person or a file here, and the service checks them, so they
 * have no types.
 */
interface AnyCollection extends SyncCollection {
  list(filters: JsonObject, options?: CallOptions): AsyncIterable<AnyResource>;
  changes(options: FollowOptions): AsyncIterable<ChangesPage<AnyResource>>;
}

export function collectionOf(client: BrandClient, name: CollectionName): AnyCollection {
  return client[COLLECTIONS[name].key];
}

/** Returns what the resources of all collections are called, joined by `and` (`conjunction`) or `or` (`disjunction`). */
export function allNouns(type: 'conjunction' | 'disjunction'): string {
  const nouns = Object.values(COLLECTIONS).map((names) => names.nouns);
  return listOf(nouns, type);
}

export const COLLECTION_OPTION = new Option('--collection <name>', 'the collection')
  .choices(COLLECTION_NAMES)
  .default('products' as const);
