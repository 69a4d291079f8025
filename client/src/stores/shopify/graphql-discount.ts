import type { Obstacle, StoreDiscount } from '../store-product.ts';
import { digitsIn } from './ids.ts';
import type { JsonObject, PlacedObject } from '../json.ts';
import { isJsonObject, objectOf, textOf } from '../json.ts';
import { notA, timeIn, Values } from '../values.ts';

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
  codes: readonly PlacedObject[],
  now: Date,
): StoreDiscount[] {
  const discount = discountIn(node) ?? {};
  const obstacle = obstacleOf(discount);
  const values = new Values();
  const { title, usageLimit: limit } = discount;
  const common = {
    id: discountId(node['id']),
    title: values.text('description', title),
    percent: obstacle ? undefined : percentOf(discount, values),
    isActive: isActive(discount, now, values),
    maxUses: limit === null ? null : values.quantity('maxUses', limit),
    obstacle,
  };
  return codes.map(({ place, object: code }) => {
    const own = new Values();
    return {
      ...common,
      place,
      code: textOf(code['code']) ?? '',
      currentUses: own.quantity('currentUses', code['asyncUsageCount']),
      leftOut: [...values.leftOut, ...own.leftOut],
    };
  });
}

/** Different queries call one discount `DiscountCodeNode` and `DiscountNode`, with one number. */
function discountId(id: unknown): string | undefined {
  return typeof id === 'string' ? `gid://shopify/DiscountCodeNode/${digitsIn(id)}` : undefined;
}

/** Returns a percentage for a fraction: of 0.07 it is 7.000000000000001, which is 7 in the item. */
function percentOf(discount: JsonObject, values: Values): number | undefined {
  const { percentage } = objectOf(objectOf(discount['customerGets'])['value']);
  if (typeof percentage === 'number') return percentage * 100;
  values.leaveOut(notA('a fraction', 'discountPercent', percentage));
  return undefined;
}

function obstacleOf(discount: JsonObject): Obstacle | undefined {
  const kind = KINDS.get(textOf(discount['__typename']) ?? '');
  if (kind !== undefined) return { reason: kind, kind: 'unsupported' };
  const value = objectOf(objectOf(discount['customerGets'])['value']);
  return 'amount' in value || value['__typename'] === 'DiscountAmount'
    ? { reason: 'it is a fixed amount', kind: 'unsupported' }
    : undefined;
}

/** The status may be older than the dates: it is written at times, and they are compared now. */
function isActive(discount: JsonObject, now: Date, values: Values): boolean | undefined {
  const { status, startsAt, endsAt } = discount;
  if (status === undefined && startsAt === undefined) return undefined;
  if (status != null && typeof status !== 'string') {
    values.leaveOut(notA('a status', 'active', status));
    return undefined;
  }
  const [start, end] = [timeOf(startsAt, values), timeOf(endsAt, values)];
  if (Number.isNaN(start) || Number.isNaN(end)) return undefined;
  const hasStarted = start === undefined ? status !== 'SCHEDULED' : start <= now.getTime();
  const hasEnded = status === 'EXPIRED' || (end !== undefined && end <= now.getTime());
  return hasStarted && !hasEnded;
}

/** Returns milliseconds since 1970; undefined if there is no time, NaN if it cannot be read. */
function timeOf(value: unknown, values: Values): number | undefined {
  if (value == null) return undefined;
  const time = timeIn(textOf(value) ?? '');
  if (Number.isNaN(time)) values.leaveOut(notA('a time', 'active', value));
  return time;
}
