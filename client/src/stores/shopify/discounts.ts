import { utcTime } from '../../../../common/utc-time.ts';
import type { Omission } from '../source.ts';
import type { StoreDiscount } from '../store-product.ts';
import { numberOfId, typeOf } from './ids.ts';
import type { JsonObject, PlacedObject } from '../json-values.ts';
import { isJsonObject, objectOf, textOf } from '../json-values.ts';
import { notA, Values } from '../values.ts';

/** Returns the discount in a node: `codeDiscount` of a DiscountCodeNode, or `discount` of a DiscountNode. */
export function discountIn(node: JsonObject): JsonObject | undefined {
  const discount = node['codeDiscount'] ?? node['discount'];
  return isJsonObject(discount) ? discount : undefined;
}

/** Whether a discount works without a code. */
export function isAutomatic(node: JsonObject): boolean {
  const types = [textOf(discountIn(node)?.['__typename']), typeOf(node)];
  return types.some((type) => type?.startsWith('DiscountAutomatic'));
}

/** Returns one discount code for each code of a discount. */
export function codesOf(
  node: JsonObject,
  codes: readonly PlacedObject[],
  now: Date,
): StoreDiscount[] {
  const discount = discountIn(node) ?? {};
  const obstacle = obstacleOf(discount);
  const values = new Values();
  const { title, usageLimit: limit } = discount;
  const id = textOf(node['id']);
  const common = {
    // Different queries call one discount `DiscountCodeNode` and `DiscountNode`, with one number.
    id: id === undefined ? undefined : `gid://shopify/DiscountCodeNode/${numberOfId(id)}`,
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

/** Returns a percentage for a fraction: of 0.07 it is 7.000000000000001, which is 7 in the item. */
function percentOf(discount: JsonObject, values: Values): number | undefined {
  const { percentage } = objectOf(objectOf(discount['customerGets'])['value']);
  if (typeof percentage === 'number') return percentage * 100;
  values.leaveOut(notA('a fraction', 'discountPercent', percentage));
  return undefined;
}

/** What the service cannot hold, by the type of a discount or of its value, in the GraphQL API and in CSV. */
export const UNSUPPORTED: ReadonlyMap<unknown, string> = new Map([
  ['DiscountCodeBxgy', 'it is Buy X Get Y'],
  ['buy x get y', 'it is Buy X Get Y'],
  ['DiscountCodeFreeShipping', 'it is free shipping'],
  ['free shipping', 'it is free shipping'],
  ['DiscountCodeApp', 'an app decides what it gives'],
  ['DiscountAmount', 'it is a fixed amount'],
  ['fixed_amount', 'it is a fixed amount'],
]);

function obstacleOf({ __typename: type, customerGets }: JsonObject): Omission | undefined {
  const value = objectOf(objectOf(customerGets)['value']);
  const valueType = 'amount' in value ? 'DiscountAmount' : value['__typename'];
  const reason = UNSUPPORTED.get(type) ?? UNSUPPORTED.get(valueType);
  return reason === undefined ? undefined : { reason, kind: 'unsupported' };
}

const DISCOUNT_STATUSES: ReadonlyMap<string, string> = new Map(
  ['active', 'scheduled', 'expired'].map((status) => [status, status]),
);

/**
 * Whether a discount works now. Its status may be older than its times: Shopify writes it now and then, and a file may be some
 * hours old.
 */
export function isActive(
  { status: written, startsAt, endsAt }: JsonObject,
  now: Date,
  values: Values,
): boolean | undefined {
  if (written === undefined && startsAt === undefined) return undefined;
  const status = values.word('active', written, DISCOUNT_STATUSES);
  const [start, end] = [timeOf(startsAt, values), timeOf(endsAt, values)];
  if (values.leftOut.some(({ field }) => field === 'active')) return undefined;
  const hasStarted = start === undefined ? status !== 'scheduled' : start <= now.getTime();
  const hasEnded = status === 'expired' || (end !== undefined && end <= now.getTime());
  return hasStarted && !hasEnded;
}

/** Returns milliseconds since 1970; undefined if there is no time, or none that can be read. */
function timeOf(value: unknown, values: Values): number | undefined {
  const time = Date.parse(utcTime(textOf(value) ?? ''));
  return values.read('a time', 'active', value, Number.isNaN(time) ? undefined : time);
}
