import type { Profile } from '../../../index.ts';
import type { SyncPlan } from '../../../sync/plan.ts';
import { Failure } from '../../../stores/failure.ts';
import type { Content } from '../../../stores/source.ts';
import type { SyncFlags } from './options.ts';

// One brand has one store, in one currency. Another shop behind the same settings, or another currency, would overwrite everything.

/** Whether a brand's store is the one with these host names. */
export function isSameStore(storeDomain: string, domains: readonly string[]): boolean {
  const [own, ...names] = [storeDomain, ...domains].map((one) =>
    one.toLowerCase().replace(/^www\./, ''),
  );
  return names.some((name) => name === own);
}

/**
 * Refuses a store that is another one than the brand's.
 * @param domains the host names of the store
 * @throws Failure that names both
 */
export function checkStore(
  { storeDomain }: Profile['connection'],
  domains: readonly string[],
  { newStore }: SyncFlags,
): void {
  if (newStore || storeDomain === null || isSameStore(storeDomain, domains)) return;
  throw new Failure(
    `The brand's store is ${storeDomain}, and this one is ${domains[0] ?? ''}: nothing was changed. If it is the brand's store from now on, use --record --new-store once, without --delete.`,
  );
}

/**
 * Refuses a store, or its file, whose currency is another one than that of products that it writes and that are of it, whichever
 * of them it may delete; and any currency for prices that are kept.
 * @throws Failure that names both
 */
export function checkCurrency(
  { found }: SyncPlan,
  { isOfStore }: Content,
  { newCurrency, from, keep = [] }: SyncFlags,
): void {
  const changes = [...found.matched.values()].flatMap((difference) => {
    const { currencyCode, source } = difference?.fields ?? {};
    return currencyCode === undefined ? [] : [{ currencyCode, isOther: source !== undefined }];
  });
  const [any] = changes;
  if (any !== undefined && keep.includes('priceCents')) {
    const [before, after] = any.currencyCode.map(String);
    throw new Failure(
      `--keep priceCents would keep the number of a price in ${before ?? ''} as one in ${after ?? ''}, which is another price: nothing was changed. Keep both, with --keep priceCents,currencyCode, or none.`,
    );
  }
  if (newCurrency || !isOfStore) return;
  const [first, ...others] = changes.filter(({ isOther }) => !isOther);
  if (first === undefined) return;
  const [before, after] = first.currencyCode.map(String);
  const count = others.length + 1;
  const what = from === undefined ? 'file' : 'store';
  const whose = count === 1 ? 'that of 1 product' : `those of ${count} products`;
  const hint = from === undefined ? 'Name the right one with --currency. ' : '';
  throw new Failure(
    `The prices of the ${what} are in ${after ?? ''}, and ${whose} in the service in ${before ?? ''}: nothing was changed. ${hint}If ${after ?? ''} is right, use --new-currency.`,
  );
}
