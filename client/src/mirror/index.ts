import type { Feed } from './feed.ts';
import { readFeed } from './feed.ts';
import type { CouponCodeField, CouponCodeKey, MirrorField, MirrorKey } from './item.ts';
import type { Job, Side } from './job.ts';
import { isStatus } from './job.ts';
import { refuseLoss } from './loss.ts';
import { byKey, readNews } from './news.ts';
import type { AnyOptions, CouponCodeMirrorOptions, MirrorOptions } from './options.ts';
import { checkMirrorOptions } from './options.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { loadState, saveState } from './state.ts';
import { readStore } from './store.ts';

export type {
  CouponCodeField,
  CouponCodeItem,
  CouponCodeKey,
  MirrorField,
  MirrorItem,
  MirrorKey,
} from './item.ts';
export type { MirroredStore, Side, StoreChanges, StoreOf } from './job.ts';
export { MirrorLossError } from './loss.ts';
export type { CouponCodeMirrorOptions, MirrorOptions } from './options.ts';

/**
 * Makes a store and the service equal, in both directions. If both changed an item, the service's change wins. Run it
 * again and again, one run at a time.
 * @throws TypeError if an option or an answer of the store cannot be used; MirrorLossError if the token is too old or a
 * backup was restored, and the service lacks or has changed what both sides had. Nothing more is written. Without a loss, the mirror continues by itself.
 */
export async function mirror<
  F extends Exclude<CouponCodeField, K>,
  K extends CouponCodeKey = 'code',
>(options: CouponCodeMirrorOptions<F, K>): Promise<void>;
export async function mirror<F extends Exclude<MirrorField, K>, K extends MirrorKey = 'sku'>(
  options: MirrorOptions<F, K>,
): Promise<void>;
export async function mirror(options: AnyOptions): Promise<void> {
  const { store, fields, persist, report, winner } = options;
  const { collection, nouns, key } = checkMirrorOptions(options);
  const by = { key, fields };
  const state = loadState(options.state, by);
  const job: Job = {
    ...by,
    nouns,
    collection,
    store,
    state,
    persist: async () => persist(saveState(state, by)),
    report,
  };
  if (state.pushesAll && winner === 'service') {
    throw new Error(
      'A run with the winner store is not finished. Finish it without a winner, or with store again.',
    );
  }
  if (state.storeSince === undefined) await begin(job);
  const { feed, decided } = await readService(job, winner);
  const news = await readNews(job, feed);
  // Pull first: the push then knows which changes of the store are out of date.
  // What is lost must be known until the push begins: a crash before it leaves the decision open.
  const nothing = async (): Promise<void> => Promise.resolve();
  await pull(decided === 'store' ? { ...job, persist: nothing } : job, feed, news, decided);
  await push(job, news);
}

/**
 * Notes all items of the store, and the token from which it reports what it deletes. Nothing else tells what it deletes
 * while the first run is not finished.
 */
async function begin(job: Job): Promise<void> {
  const { state, persist } = job;
  const { changed, since } = await readStore(job, undefined);
  const items = byKey(changed, job);
  state.doubles = new Map(
    [...items.spellings]
      .filter(([, spellings]) => spellings.length > 1)
      .map(([key, spellings]) => [key, { spellings, ids: [] }]),
  );
  for (const [key, item] of items.changed)
    if (!state.doubles.has(key)) state.waiting.set(key, item);
  state.storeSince = since;
  await persist();
}

/**
 * Reads what changed in the service; all of it if it has forgotten what changed. Then the winner's side is right, and is
 * returned.
 * @throws TypeError if an option cannot be used; MirrorLossError if that is needed, and there is no winner
 */
async function readService(
  job: Job,
  winner?: Side,
): Promise<{ readonly feed: Feed; readonly decided?: Side | undefined }> {
  const { collection, state } = job;
  try {
    // Nothing else shows that the service has lost what a first pull that broke off has copied: `0` is always good.
    if (state.firstSince !== undefined)
      await collection.changes({ since: state.firstSince }).next();
    return { feed: await readFeed(job, state.serviceSince) };
  } catch (error) {
    if (!isStatus(error, 410)) throw error;
    const feed = await readFeed(job, '0');
    if (winner === undefined) refuseLoss(job, feed);
    if (winner === 'store') state.pushesAll = true;
    return { feed, decided: winner };
  }
}
