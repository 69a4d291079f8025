import { env } from 'cloudflare:workers';
import type { TestBrand } from './brand.ts';

/** Returns the options of a request with this Idempotency-Key. */
export function withIdempotencyKey(key: string): { readonly headers: Record<string, string> } {
  return { headers: { 'Idempotency-Key': key } };
}

/** Returns the Idempotency-Keys for which a brand has a record. */
export async function keysOf({ issued }: TestBrand): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'select key from idempotency_records where brand_id = ? order by key',
  )
    .bind(issued.brandId)
    .all<{ key: string }>();
  return results.map(({ key }) => key);
}
