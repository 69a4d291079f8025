import type { Item } from './item.ts';
import { itemOf } from './item.ts';
import type { Job } from './job.ts';

/** What changed in the service after a token. */
export interface Feed {
  /** Each changed product by id, as it is now; undefined if it has no SKU. */
  readonly products: Map<string, Item | undefined>;
  /** The ids of deleted products. */
  readonly deleted: ReadonlySet<string>;
  /** The token of the first page. */
  readonly firstSince: string;
  /** The token to continue from. */
  readonly since: string;
  /** Whether it has all products: one that does not appear is deleted. */
  readonly isWhole: boolean;
}

/**
 * Reads what changed in the service, to the end: only then does the mirror know which SKUs are unique.
 * @param from the token to start from; `'0'` for all products
 */
export async function readFeed({ products, fields }: Job, from: string): Promise<Feed> {
  const found = new Map<string, Item | undefined>();
  const gone = new Set<string>();
  let since = from;
  let firstSince: string | undefined;
  for await (const { changed, deleted, ...page } of products.changes({ since: from })) {
    for (const product of changed) found.set(product.id, itemOf(product, fields));
    for (const id of deleted) {
      found.delete(id);
      gone.add(id);
    }
    since = page.since;
    firstSince ??= since;
  }
  return {
    products: found,
    deleted: gone,
    firstSince: firstSince ?? from,
    since,
    isWhole: from === '0',
  };
}

/** Whether a feed says where a product is now. Otherwise it is as it was. */
export function tells({ products, deleted, isWhole }: Feed, id: string): boolean {
  return isWhole || products.has(id) || deleted.has(id);
}
