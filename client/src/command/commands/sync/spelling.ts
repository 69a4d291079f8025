import { storedKey } from '../../../stored.ts';
import type { AnyCollection } from '../../service/collections.ts';
import type { Content, Item } from '../../../stores/source.ts';

/**
 * Returns items with the codes as the service spells them. WooCommerce keeps codes in lower case, so the case of a code says
 * nothing there.
 */
export async function withKeptSpelling(
  { format, items }: Content,
  collection: AnyCollection,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  if (format !== 'woocommerce' || !items.some((item) => 'code' in item)) return items;
  const spellings = new Map<string, unknown>();
  for await (const { code } of collection.list({}, { signal })) spellings.set(keyOf(code), code);
  return items.map((item) => ({
    ...item,
    code: spellings.get(keyOf(item['code'])) ?? item['code'],
  }));
}

function keyOf(code: unknown): string {
  return storedKey(String(code), 'code');
}
