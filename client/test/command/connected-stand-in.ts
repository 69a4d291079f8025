import { onTestFinished } from 'vitest';
import { takeBrand } from '../../../test/node/pool.ts';
import type { Finished } from '../../../test/node/processes.ts';
import type { Product } from '../../src/index.ts';
import { BrandClient } from '../../src/index.ts';
import type { Store } from '../../src/stores/store.ts';
import { all } from '../outcomes.ts';
import type { Special } from './commanded.ts';
import { commandOf } from './commanded.ts';
import type { WhenFinished } from './listening.ts';
import type { AnyStandIn } from './stand-ins.ts';
import { STAND_INS } from './stand-ins.ts';

/** A store of any platform, a brand, and the command that brings one to the other. */
interface Connected extends AnyStandIn {
  readonly client: BrandClient;
  /** The address of the service. */
  readonly baseUrl: string;
  readonly products: () => Promise<Product[]>;
  readonly sync: (words?: readonly string[], special?: Special) => Promise<Finished>;
  /** The same with `--json`. Returns the report. */
  readonly report: (words?: readonly string[], special?: Special) => Promise<unknown>;
  /** The variables of the environment that are set and hidden, of which there is one. */
  readonly secrets: readonly [string, ...string[]];
}

export async function connected(
  { name, variables }: Store,
  whenFinished: WhenFinished = onTestFinished,
): Promise<Connected> {
  const start = STAND_INS[name];
  if (start === undefined) throw new Error(`STAND_INS in stand-ins.ts has no ${name}.`);
  const [standIn, brand] = await Promise.all([start(whenFinished), takeBrand()]);
  const { env } = standIn;
  const [secret, ...secrets] = variables
    .filter((one) => one.isSecret && one.name in env)
    .map((one) => one.name);
  if (secret === undefined) throw new Error(`None of the variables of ${name} is a secret.`);
  const client = new BrandClient(brand);
  const command = commandOf(brand);
  const sync: Connected['sync'] = (words = [], special = {}) =>
    command(['sync', '--from', name, ...words], {
      fetch: standIn.fetch,
      ...special,
      env: { ...env, ...special.env },
    });
  return {
    ...standIn,
    client,
    baseUrl: brand.baseUrl,
    products: () => all(client.products.list()),
    sync,
    report: async (words = [], special = {}) => {
      const said: unknown = JSON.parse((await sync(['--json', ...words], special)).stdout);
      return said;
    },
    secrets: [secret, ...secrets],
  };
}
