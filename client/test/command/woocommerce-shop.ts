import { expect } from 'vitest';
import type { Finished } from '../../../test/node/processes.ts';
import type { CouponCode, Product } from '../../src/index.ts';
import { BrandClient } from '../../src/index.ts';
import type { Special } from './commanded.ts';
import { commandOf } from './commanded.ts';
import { all } from '../outcomes.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import type { StandIn, StandInOptions } from './woocommerce-stand-in.ts';
import { woocommerce } from './woocommerce-stand-in.ts';

/** A store, a brand, and the command that brings one to the other. */
interface ConnectedStore {
  readonly store: StandIn;
  readonly client: BrandClient;
  readonly products: () => Promise<Product[]>;
  readonly codes: () => Promise<CouponCode[]>;
  /** Runs `sync --from woocommerce`. */
  readonly sync: (words?: readonly string[], special?: Special) => Promise<Finished>;
  /** The same with `--json`. Returns the report. */
  readonly report: (words?: readonly string[], special?: Special) => Promise<unknown>;
  readonly command: ReturnType<typeof commandOf>;
}

export async function connectedStore(options: StandInOptions = {}): Promise<ConnectedStore> {
  const [store, brand] = await Promise.all([woocommerce(options), takeBrand()]);
  const client = new BrandClient(brand);
  const command = commandOf(brand);
  const sync: ConnectedStore['sync'] = (words = [], special = {}) =>
    command(['sync', '--from', 'woocommerce', ...words], {
      fetch: store.fetch,
      ...special,
      env: { ...store.env, ...special.env },
    });
  return {
    store,
    client,
    command,
    sync,
    products: () => all(client.products.list()),
    codes: () => all(client.couponCodes.list()),
    report: async (words = [], special = {}) => {
      const { stdout, stderr } = await sync(['--json', ...words], special);
      expect(stdout, stderr).not.toBe('');
      const said: unknown = JSON.parse(stdout);
      return said;
    },
  };
}

/** Expects a text in which another one is. */
export function containing(text: string): unknown {
  return expect.stringContaining(text);
}
