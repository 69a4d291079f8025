import { expect } from 'vitest';
import type { Finished } from '../../../test/node/processes.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import type { CouponCode, Product } from '../../src/index.ts';
import { BrandClient } from '../../src/index.ts';
import { all } from '../outcomes.ts';
import type { Special } from './commanded.ts';
import { commandOf } from './commanded.ts';
import type { AnyStandIn } from './any-stand-in.ts';

/** A brand, and the command that brings a store to it. */
export interface SyncedBrand {
  readonly client: BrandClient;
  /** The address of the service. */
  readonly baseUrl: string;
  readonly products: () => Promise<Product[]>;
  readonly codes: () => Promise<CouponCode[]>;
  readonly command: ReturnType<typeof commandOf>;
  /** Runs `sync --from` the store. */
  readonly sync: (words?: readonly string[], special?: Special) => Promise<Finished>;
  /** The same with `--json`. Returns the report. */
  readonly report: (words?: readonly string[], special?: Special) => Promise<unknown>;
}

/** Takes a brand for a store. @param name that of the store on the command line */
export async function syncedBrand(
  name: string,
  { env, fetch }: Pick<AnyStandIn, 'env' | 'fetch'>,
): Promise<SyncedBrand> {
  const brand = await takeBrand();
  const client = new BrandClient(brand);
  const command = commandOf(brand);
  const sync: SyncedBrand['sync'] = (words = [], special = {}) =>
    command(['sync', '--from', name, ...words], {
      fetch,
      ...special,
      env: { ...env, ...special.env },
    });
  return {
    client,
    baseUrl: brand.baseUrl,
    products: () => all(client.products.list()),
    codes: () => all(client.couponCodes.list()),
    command,
    sync,
    report: async (words = [], special = {}) => {
      const { stdout, stderr } = await sync(['--json', ...words], special);
      expect(stdout, stderr).not.toBe('');
      const said: unknown = JSON.parse(stdout);
      return said;
    },
  };
}
