import { expect } from 'vitest';
import type { Product, RefusedItem, SyncOptions, SyncReport } from '../src/index.ts';
import { BrandClient } from '../src/index.ts';
import { takeBrand } from '../../test/node/pool.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { all } from './outcomes.ts';

export type Options = Partial<SyncOptions<Product, 'sku'>>;

/** What a brand's products are in short: their SKUs and prices. */
type Catalogue = Readonly<Record<string, number>>;

/** Takes a brand with products of its own, and a network that can be disturbed. */
export async function shop(products: readonly object[] = []): Promise<{
  readonly client: BrandClient;
  readonly network: FaultyNetwork;
  readonly catalogue: () => Promise<Catalogue>;
  readonly sync: (list: unknown, options?: Options) => Promise<SyncReport>;
}> {
  const { apiKey, baseUrl } = await takeBrand();
  const network = new FaultyNetwork();
  const plain = new BrandClient({ apiKey, baseUrl });
  const client = new BrandClient({ apiKey, baseUrl, fetch: network.fetch });
  if (products.length > 0) await plain.products.push(anyItems(products), { match: 'sku' });
  return {
    client,
    network,
    catalogue: async () => {
      const listed = await all(plain.products.list());
      return Object.fromEntries(listed.map(({ sku, id, priceCents }) => [sku ?? id, priceCents]));
    },
    sync: async (list, options) =>
      client.products.sync(anyItems(list), { match: 'sku', ...options }),
  };
}

export function refusal(status: number, headers: Record<string, string> = {}): Response {
  return Response.json({ error: 'No.' }, { status, headers });
}

/** A matcher of texts that contain a text. vitest declares it as `any`. */
export function textWith(part: string): unknown {
  return expect.stringContaining(part);
}

/** What a refused item says, if it has one problem. */
export function refusedFor(path: string, message: string): Pick<RefusedItem, 'error' | 'problems'> {
  const error = path === '' ? message : `${path}: ${message}`;
  return { error, problems: [{ path, message }] };
}

/** Items as a program without types may send them. */
function anyItems(list: unknown): { sku: string }[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- bad items are what is tested
  return list as { sku: string }[];
}
