import type { Store } from '../../src/stores/store.ts';
import type { WhenFinished } from './listening.ts';
import type { AnyStandIn } from './any-stand-in.ts';
import { STAND_INS } from './stand-ins.ts';
import type { SyncedBrand } from './synced-brand.ts';
import { syncedBrand } from './synced-brand.ts';

/** A store of any platform, and a brand to which the command brings it. */
interface Connected extends AnyStandIn, SyncedBrand {
  /** The variables of the environment that are set and hidden, of which there is one. */
  readonly secrets: readonly [string, ...string[]];
}

export async function connected(
  { name, variables }: Store,
  whenFinished?: WhenFinished,
): Promise<Connected> {
  const start = STAND_INS[name];
  if (start === undefined) throw new Error(`STAND_INS in stand-ins.ts has no ${name}.`);
  const standIn = await start(whenFinished);
  const [secret, ...secrets] = variables
    .filter((one) => one.isSecret && one.name in standIn.env)
    .map((one) => one.name);
  if (secret === undefined) throw new Error(`None of the variables of ${name} is a secret.`);
  return { ...standIn, ...(await syncedBrand(name, standIn)), secrets: [secret, ...secrets] };
}
