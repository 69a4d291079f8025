import { onTestFinished } from 'vitest';
import type { CouponCode, Product } from '../../../src/index.ts';
import { BrandClient } from '../../../src/index.ts';
import type { Special } from '../commanded.ts';
import { commandOf } from '../commanded.ts';
import { all } from '../../outcomes.ts';
import { takeBrand } from '../../../../test/node/pool.ts';
import type { Finished } from '../../../../test/node/processes.ts';
import { StandIn } from './stand-in.ts';

/** A shop of Shopify, a brand, and the command that knows both. */
export interface ShopAndBrand {
  readonly shop: StandIn;
  readonly client: BrandClient;
  readonly products: () => Promise<Product[]>;
  readonly codes: () => Promise<CouponCode[]>;
  /** Runs `sync --from shopify`. */
  readonly sync: (words?: readonly string[], special?: Special) => Promise<Finished>;
  /** Runs it with `--json`, and returns the document. */
  readonly report: (words?: readonly string[], special?: Special) => Promise<unknown>;
  readonly command: ReturnType<typeof commandOf>;
}

/**
 * Starts a shop for one test.
 * @param whenFinished of tests that run at once, that of the test's own context: Vitest's function knows one test at a time
 */
export async function shopAndBrand(
  whenFinished: typeof onTestFinished = onTestFinished,
): Promise<ShopAndBrand> {
  const shop = await StandIn.start(whenFinished);
  const brand = await takeBrand();
  const client = new BrandClient(brand);
  const command = commandOf(brand);
  const sync: ShopAndBrand['sync'] = (words = [], { env, ...special } = {}) =>
    command(['sync', '--from', 'shopify', ...words], {
      fetch: shop.fetch,
      env: { ...shop.env, ...env },
      ...special,
    });
  return {
    shop,
    client,
    products: () => all(client.products.list()),
    codes: () => all(client.couponCodes.list()),
    sync,
    report: async (words = [], special = {}) => {
      const { stdout } = await sync(['--json', ...words], special);
      const document: unknown = JSON.parse(stdout);
      return document;
    },
    command,
  };
}
