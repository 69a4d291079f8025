import type { PushResult } from '../push.ts';
import type { Product } from '../types.ts';
import type { Job } from './job.ts';
import type { Creations } from './state.ts';

/** Pushes the items that the service does not have. Repeated with the same key, it returns the same ids. */
export async function create(
  { products }: Pick<Job, 'products'>,
  { key, items }: Creations,
): Promise<PushResult<Product>[]> {
  const options = { match: 'sku', lenient: true, minimal: true, idempotencyKey: key } as const;
  return products.push(items, options);
}
