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
 * Refuses a store, or its file, whose currency is another one than that of products that it has and owns.
 * @throws Failure that names both
 */
export function checkCurrency(
  { found }: SyncPlan,
  { isOfStore }: Content,
  { newCurrency, from, keep = [] }: SyncFlags,
): void {
  const areKept = ['priceCents', 'currencyCode'].every((field) => keep.includes(field));
  if (newCurrency || !isOfStore || areKept) return;
  const changes = [...found.matched.values()].flatMap((difference) =>
    difference?.isOwned ? [difference.fields['currencyCode'] ?? []] : [],
  );
  const [first, ...others] = changes.filter(({ length }) => length > 0);
  if (first === undefined) return;
  const [before, after] = first.map(String);
  const count = others.length + 1;
  const what = from === undefined ? 'file' : 'store';
  const whose = count === 1 ? 'that of 1 product' : `those of ${count} products`;
  const hint = from === undefined ? 'Name the right one with --currency. ' : '';
  throw new Failure(
    `The prices of the ${what} are in ${after ?? ''}, and ${whose} in the service in ${before ?? ''}: nothing was changed. ${hint}If ${after ?? ''} is right, use --new-currency.`,
  );
}
