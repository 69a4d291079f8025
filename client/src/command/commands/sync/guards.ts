import { counted } from '../../../../../common/counted.ts';
import { roughly } from '../../../../../common/duration.ts';
import type { Profile, RefusedItem } from '../../../index.ts';
import { storedKey } from '../../../stored-text.ts';
import { Failure } from '../../../../../common/failure.ts';
import type { Content } from '../../../stores/source.ts';
import { refusedItem } from '../../../sync/item-list.ts';
import type { SyncSteps } from '../../../sync/plan-steps.ts';
import type { SyncFlags } from './flags.ts';
import { memberOf } from '../../../json.ts';

// What ends a sync before anything is written. None of them looks at what may be deleted (`--only`): they are about what is written.

/** @throws Failure if what was read is older than `--max-age` allows: the export may have stopped */
export function checkAge(readAt: Date, path = '-', { maxAge, readAt: given }: SyncFlags): void {
  const age = (Date.now() - readAt.getTime()) / 1000;
  if (maxAge === undefined || age <= maxAge.seconds) return;
  const what = given === undefined ? `${path} was written` : 'What --read-at names was';
  throw new Failure(
    `${what} ${roughly(age)} ago, and --max-age is ${maxAge.text}: the export may have stopped. Nothing was changed.`,
  );
}

/** Whether a brand's store is the one with these host names. */
export function isSameStore(storeDomain: string, domains: readonly string[]): boolean {
  const [own, ...names] = [storeDomain, ...domains].map((one) =>
    one
      .toLowerCase()
      .replace(/^www\./, '')
      // It ends the name of a host, and belongs to none.
      .replace(/\.$/, ''),
  );
  return names.some((name) => name === own);
}

/**
 * Refuses a store that is another one than the brand's: another shop behind the same settings would overwrite everything.
 * @throws Failure that names both
 */
export function checkStore(
  { storeDomain }: Profile['connection'],
  domains: readonly string[],
  { newStore }: SyncFlags,
): void {
  if (newStore || storeDomain === null || isSameStore(storeDomain, domains)) return;
  throw new Failure(
    `The brand's store is ${storeDomain}, and this one is ${domains[0] ?? ''}: nothing was changed. A second store needs a brand and a key of its own. If the brand's store has moved, use --record --new-store once, without --delete.`,
  );
}

/**
 * Refuses a sync that would create all products of a store again, because those of the service were made without the store's
 * ids.
 * @throws Failure that says how they get their ids
 */
export function checkIds(
  { comparison, count }: SyncSteps,
  { source }: Content,
  match: string,
  options: SyncFlags,
): void {
  if (source === undefined || options.match !== undefined) return;
  const without = comparison.keyless.filter((one) => one.source === source).length;
  if (without === 0 || comparison.matched.size > 0 || count === 0) return;
  throw new Failure(
    `The service has ${counted(without, 'product')} without ${match}, and none that matches: nothing was changed. Run it once with --match handle or --match sku, which gives them their ids.`,
  );
}

/**
 * Refuses items alone that would be created though the service has their products, made without the store's ids: a change of
 * the match was interrupted.
 */
export function withoutDuplicates(
  steps: SyncSteps,
  { source }: Content,
  match: string,
  options: SyncFlags,
): SyncSteps {
  if (source === undefined || options.match !== undefined) return steps;
  const keyless = steps.comparison.keyless.filter((one) => one.source === source);
  const known = (['sku', 'handle'] as const).map((field) => {
    const values = keyless.map((one) => one[field]).filter((value) => typeof value === 'string');
    return [field, new Set(values.map((value) => storedKey(value, field)))] as const;
  });
  const refused: RefusedItem[] = [];
  const writes = steps.writes.filter(({ item, fields, difference }) => {
    if (difference !== undefined) return true;
    const found = known.find(([field, values]) => {
      const value = memberOf(fields, field);
      return typeof value === 'string' && values.has(storedKey(value, field));
    });
    if (found === undefined) return true;
    const [field] = found;
    const message = `a product in the service has this value, and no ${match}, so it would be created again. Run it once with --match ${field}, which gives it its ids`;
    refused.push(refusedItem(item, [{ path: field, message }]));
    return false;
  });
  return { ...steps, writes, refused: [...steps.refused, ...refused] };
}

/** How many products must be others for a catalogue to be another one. */
const OTHERS = 10;

/**
 * Refuses a shop that is another one than that of the brand's products, though its host and their ids are the same: it would
 * overwrite them.
 * @throws Failure that says what another shop needs
 */
export function checkCatalogue(
  { comparison }: SyncSteps,
  match: string,
  { from, newStore }: SyncFlags,
): void {
  if (from === undefined || newStore || !match.startsWith('store')) return;
  const others = [...comparison.matched].filter(([{ fields: item }, difference]) => {
    const { title, sku } = difference?.fields ?? {};
    // Where neither has an SKU, the title alone tells.
    return title !== undefined && (sku !== undefined || !memberOf(item, 'sku'));
  });
  const { size } = comparison.matched;
  if (others.length < OTHERS || others.length <= size / 2) return;
  throw new Failure(
    `${others.length} of the ${size} products with the ids of this store would change their title, and their SKU if there is one: nothing was changed. Another shop, also one on the same host, needs a brand and a key of its own. If this is the brand's shop, and it was rebuilt, use --record --new-store once, without --delete.`,
  );
}

/**
 * Refuses a store, or its file, whose currency is another one than that of products that it writes and that are of it; and any
 * currency for prices that `--keep` names.
 * @throws Failure that names both
 */
export function checkCurrency(
  { comparison }: SyncSteps,
  { isOfStore }: Content,
  { newCurrency, from, keep = [] }: SyncFlags,
): void {
  const changed = [...comparison.matched.values()].flatMap((one) =>
    one?.fields['currencyCode'] === undefined ? [] : [one.fields],
  );
  const own = newCurrency || !isOfStore ? [] : changed.filter(({ source }) => source === undefined);
  const keepsPrice = keep.includes('priceCents');
  const [first] = keepsPrice ? changed : own;
  if (first === undefined) return;
  const [before, after] = (first['currencyCode'] ?? []).map(String);
  if (keepsPrice) {
    throw new Failure(
      `--keep priceCents would keep the number of a price in ${before ?? ''} as one in ${after ?? ''}, which is another price: nothing was changed. Keep both, with --keep priceCents,currencyCode, or none.`,
    );
  }
  const what = from === undefined ? 'file' : 'store';
  const whose = own.length === 1 ? 'that of 1 product' : `those of ${own.length} products`;
  const hint = from === undefined ? 'Name the right one with --currency. ' : '';
  throw new Failure(
    `The prices of the ${what} are in ${after ?? ''}, and ${whose} in the service in ${before ?? ''}: nothing was changed. ${hint}If ${after ?? ''} is right, use --new-currency.`,
  );
}
