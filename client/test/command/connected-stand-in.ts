import type { Store } from '../../src/stores/store.ts';
import type { AnyStandIn } from './any-stand-in.ts';
import { standInOf } from './stand-ins.ts';
import type { SyncedBrand } from './synced-brand.ts';
import { syncedBrand } from './synced-brand.ts';

/** A store of any platform, and a brand to which the command brings it. */
interface Connected extends AnyStandIn, SyncedBrand {
  /** The variables of the environment that are set and hidden, of which there is one. */
  readonly secrets: readonly [string, ...string[]];
}

/** Returns the variables of a store that are set and hidden. */
export function secretsOf(
  { name, variables }: Store,
  env: AnyStandIn['env'],
): readonly [string, ...string[]] {
  const [secret, ...secrets] = variables
    .filter((one) => one.isSecret && one.name in env)
    .map((one) => one.name);
  if (secret === undefined) throw new Error(`None of the variables of ${name} is a secret.`);
  return [secret, ...secrets];
}

export async function connected(store: Store): Promise<Connected> {
  const standIn = await standInOf(store);
  const secrets = secretsOf(store, standIn.env);
  return { ...standIn, ...(await syncedBrand(store.name, standIn)), secrets };
}
