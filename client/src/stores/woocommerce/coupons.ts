import type { JsonObject } from '../json-values.ts';
import { writtenOf } from '../members.ts';
import type { Obstacle, StoreDiscount } from '../store-product.ts';
import type { Placed } from './products.ts';

/** Makes a discount of a coupon. @param now when it was read, which decides whether it has expired */
export function discountOf({ place, object }: Placed, now: Date): StoreDiscount {
  const { usage_limit: limit, usage_count: uses } = object;
  const obstacle = obstacleOf(object);
  return {
    place,
    id: writtenOf(object['id']) || undefined,
    code: writtenOf(object['code']),
    title: 'description' in object ? writtenOf(object['description']) : undefined,
    percent: obstacle ? undefined : Number(writtenOf(object['amount'])),
    isActive: isActive(object, now),
    maxUses: 'usage_limit' in object ? Number(limit) || null : undefined,
    currentUses: 'usage_count' in object ? Number(uses) : undefined,
    obstacle,
  };
}

function obstacleOf(coupon: JsonObject): Obstacle | undefined {
  const { discount_type: type, amount, free_shipping: isFreeShipping } = coupon;
  const written = writtenOf(amount);
  if (type === 'percent') {
    if (/^\d+(?:\.\d+)?$/.test(written)) return undefined;
    return { reason: `its amount is "${written}"`, kind: 'problem' };
  }
  if (isFreeShipping === true && Number(written) === 0) {
    return { reason: 'it gives free shipping alone', kind: 'unsupported' };
  }
  const isFixed = type === 'fixed_cart' || type === 'fixed_product';
  return {
    reason: isFixed ? 'it is a fixed amount' : `its type is "${writtenOf(type)}"`,
    kind: 'unsupported',
  };
}

/** WooCommerce refuses a coupon that is not published, or from the time at which it expires. */
function isActive(coupon: JsonObject, now: Date): boolean | undefined {
  const { status, date_expires_gmt: inUtc, date_expires: local } = coupon;
  if (status === undefined) return undefined;
  // The local time has no zone; without the other one, UTC is the best guess.
  const end = writtenOf(inUtc) || writtenOf(local);
  return status === 'publish' && (end === '' || new Date(`${end}Z`) > now);
}
