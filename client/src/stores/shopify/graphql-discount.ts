import type { Obstacle, StoreDiscount } from '../store-product.ts';
import { numberIn } from './ids.ts';
import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { numberOf, objectOf, textOf } from '../members.ts';

/** What a discount gives, if the service cannot hold it. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['DiscountCodeBxgy', 'it is Buy X Get Y'],
  ['DiscountCodeFreeShipping', 'it is free shipping'],
  ['DiscountCodeApp', 'an app decides what it gives'],
]);

/** Returns the discount in a node: `codeDiscount` of a DiscountCodeNode, or `discount` of a DiscountNode. */
export function discountIn(node: JsonObject): JsonObject | undefined {
  const discount = node['codeDiscount'] ?? node['discount'];
  return isJsonObject(discount) ? discount : undefined;
}

/** Whether a discount works without a code. */
export function isAutomatic(node: JsonObject): boolean {
  const kind = textOf(discountIn(node)?.['__typename']) ?? '';
  return (
    kind.startsWith('DiscountAutomatic') ||
    (textOf(node['id']) ?? '').includes('DiscountAutomaticNode')
  );
}

/**
 * Returns one discount code for each code of a discount.
 * @param now the time of reading, which says whether they are active
 */
export function codesOf(
  node: JsonObject,
  codes: readonly { readonly place: string; readonly object: JsonObject }[],
  now: Date,
): StoreDiscount[] {
  const discount = discountIn(node) ?? {};
  const percent = percentOf(discount);
  const obstacle = percent === undefined ? obstacleOf(discount) : undefined;
  const limit = discount['usageLimit'];
  return codes.map(({ place, object: code }) => ({
    place,
    id: discountId(node['id']),
    code: textOf(code['code']) ?? '',
    title: textOf(discount['title']),
    percent,
    isActive: isActive(discount, now),
    maxUses: limit === null ? null : numberOf(limit),
    currentUses: numberOf(code['asyncUsageCount']),
    obstacle,
  }));
}

/** Different queries call one discount `DiscountCodeNode` and `DiscountNode`, with one number. */
function discountId(id: unknown): string | undefined {
  return typeof id === 'string' ? `gid://shopify/DiscountCodeNode/${numberIn(id)}` : undefined;
}

/** Returns a percentage for a fraction: of 0.07 it is 7.000000000000001, which is 7 in the item. */
function percentOf(discount: JsonObject): number | undefined {
  if (KINDS.has(textOf(discount['__typename']) ?? '')) return undefined;
  const { percentage } = objectOf(objectOf(discount['customerGets'])['value']);
  return typeof percentage === 'number' ? percentage * 100 : undefined;
}

function obstacleOf(discount: JsonObject): Obstacle {
  const kind = KINDS.get(textOf(discount['__typename']) ?? '');
  if (kind !== undefined) return { reason: kind, kind: 'unsupported' };
  const value = objectOf(objectOf(discount['customerGets'])['value']);
  return 'amount' in value || value['__typename'] === 'DiscountAmount'
    ? { reason: 'it is a fixed amount', kind: 'unsupported' }
    : { reason: 'what it gives is not in the source', kind: 'problem' };
}

/** The status may be older than the dates: it is written at times, and they are compared now. */
function isActive(discount: JsonObject, now: Date): boolean | undefined {
  const { status, startsAt, endsAt } = discount;
  if (status === undefined && startsAt === undefined) return undefined;
  const start = timeOf(startsAt);
  const hasStarted = start === undefined ? status !== 'SCHEDULED' : start <= now.getTime();
  const end = timeOf(endsAt);
  const hasEnded = status === 'EXPIRED' || (end !== undefined && end <= now.getTime());
  return hasStarted && !hasEnded;
}

function timeOf(value: unknown): number | undefined {
  const time = Date.parse(textOf(value) ?? '');
  return Number.isNaN(time) ? undefined : time;
}
