import type { Product } from '../../src/index.ts';
import { BrandClient } from '../../src/index.ts';
import type { Special } from './commanded.ts';
import { commandOf } from './commanded.ts';
import type { Item } from '../items.ts';
import { all } from '../outcomes.ts';
import type { TakenBrand } from '../../../test/node/pool.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import type { Finished } from '../../../test/node/processes.ts';

/** A brand of a test, and the command with its key. */
interface Shop {
  readonly brand: TakenBrand;
  readonly client: BrandClient;
  readonly products: () => Promise<Product[]>;
  readonly skus: () => Promise<(string | null)[]>;
  /** Runs `sync -`, which reads the text, or the items as JSON. */
  readonly sync: (
    content: string | readonly object[],
    words?: readonly string[],
    special?: Special,
  ) => Promise<Finished>;
  readonly command: ReturnType<typeof commandOf>;
}

/** Takes a brand with these products. */
export async function shop(products: readonly Item[] = []): Promise<Shop> {
  const brand = await takeBrand();
  const client = new BrandClient(brand);
  const command = commandOf(brand);
  await client.products.push(products, { match: 'sku' });
  const list = (): Promise<Product[]> => all(client.products.list());
  return {
    brand,
    client,
    command,
    products: list,
    skus: async () => (await list()).map(({ sku }) => sku),
    sync: (content, words = ['--match', 'sku'], special = {}) => {
      const stdin = typeof content === 'string' ? content : JSON.stringify(content);
      return command(['sync', '-', ...words], { stdin, ...special });
    },
  };
}

/** Lines of an export of Shopify. */
export function shopify(...lines: readonly string[]): string {
  return ['Handle,Title,Variant SKU,Variant Price', ...lines, ''].join('\n');
}
