import { Option } from 'commander';
import type {
  BrandClient,
  CallOptions,
  ChangesPage,
  FollowOptions,
  SyncOptions,
  SyncReport,
} from '../index.ts';
import { LIST_NAMES } from './files/store-file.ts';

/** The name of a collection on the command line, as in the paths of the API. */
export type CollectionName = keyof typeof LIST_NAMES;

/** A resource of any collection. */
export type AnyResource = Readonly<Record<string, unknown>>;

/**
 * A collection of the client. Fields and filters come from a person or a file here, and the service checks them, so they
 * have no types.
 */
export interface AnyCollection {
  list(filters: AnyResource, options?: CallOptions): AsyncIterable<AnyResource>;
  changes(options: FollowOptions): AsyncIterable<ChangesPage<AnyResource>>;
  sync(
    items: Iterable<AnyResource>,
    options: SyncOptions<AnyResource, string>,
  ): Promise<SyncReport>;
}

/** Returns a collection of a client. */
export function collectionOf(client: BrandClient, name: CollectionName): AnyCollection {
  return withoutTypes(name === 'products' ? client.products : client.couponCodes);
}

/** The methods are the same. Only the types of fields are more special, and the service checks what the command sends. */
function withoutTypes(collection: BrandClient['products' | 'couponCodes']): AnyCollection {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return collection as unknown as AnyCollection;
}

/** The option that chooses a collection. */
export function collectionOption(): Option {
  return new Option('--collection <name>', 'the collection')
    .choices(Object.keys(LIST_NAMES))
    .default('products');
}
