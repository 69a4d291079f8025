import type { BrandClient } from '../index.ts';
import type { MirrorField } from './item.ts';
import { pick } from './item.ts';
import type { Job, MirroredStore, Side } from './job.ts';
import { isStatus } from './job.ts';
import { refuseLoss } from './loss.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { loadState, saveState } from './state.ts';

export type { MirrorField, MirrorItem } from './item.ts';
export type { MirroredStore, Side, StoreChanges } from './job.ts';
export { MirrorLossError } from './loss.ts';

/** The options of a mirror. */
export interface MirrorOptions<F extends MirrorField> {
  readonly products: BrandClient['products'];
  readonly store: MirroredStore<F>;
  /** The fields that both sides keep, besides the SKU. */
  readonly fields: readonly F[];
  /** The state that the last run stored; undefined for the first run. */
  readonly state: string | undefined;
  /** Stores the state. It must replace the last one as a whole, even in a crash. */
  readonly persist: (state: string) => Promise<void>;
  /** Called for what cannot be copied. Refused items are tried again in the next run. */
  readonly report: (problem: string) => void;
  /** Whose products are right after a MirrorLossError. */
  readonly winner?: Side | undefined;
}

/**
 * Makes a store and the service equal, in both directions. If both changed an item, the service's change wins. Run it
 * again and again, one run at a time.
 * @throws MirrorLossError if the token is too old or a backup was restored, and the service lacks or has changed what
 * both sides had. Nothing more is written. Without a loss, the mirror continues by itself.
 */
export async function mirror<F extends MirrorField>(options: MirrorOptions<F>): Promise<void>;
export async function mirror(options: MirrorOptions<MirrorField>): Promise<void> {
  const { fields, persist, winner } = options;
  const state = loadState(options.state, fields);
  const job: Job = { ...options, state, persist: async () => persist(saveState(state, fields)) };
  if (state.pushesAll && winner === 'service') {
    throw new Error(
      'A run with the winner store is not finished. Finish it without a winner, or with store again.',
    );
  }
  if (state.storeSince === undefined) await begin(job);
  // Pull first: the push then knows which changes of the store are out of date.
  try {
    // Nothing else shows that the service has lost what a first pull that broke off has copied: `0` is always good.
    if (state.firstSince !== undefined) {
      await options.products.changes({ since: state.firstSince }).next();
    }
    await pull(job, state.serviceSince);
  } catch (error) {
    if (!isStatus(error, 410)) throw error;
    if (winner === undefined) await refuseLoss(job);
    if (winner === 'store') state.pushesAll = true;
    // What is lost must be known until the push begins: a crash before it leaves the decision open.
    const nothing = async (): Promise<void> => Promise.resolve();
    await pull(winner === 'store' ? { ...job, persist: nothing } : job, '0', winner);
  }
  await push(job);
}

/**
 * Notes all items of the store, and the token from which it reports what it deletes. Nothing else tells what it deletes
 * while the first run is not finished.
 */
async function begin({ store, fields, state, persist }: Job): Promise<void> {
  const { changed, since } = await store.changes(undefined);
  for (const source of changed) state.waiting.set(source.sku, pick(source, fields));
  state.storeSince = since;
  await persist();
}
