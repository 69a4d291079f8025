import { utcTime } from '../../../../common/utc-time.ts';
import type { JsonObject, PlacedObject } from '../json-values.ts';
import { writtenOf } from '../json-values.ts';
import { obstacleOfType } from './entries.ts';
import { notA, Values } from '../values.ts';
import type { Omission } from '../source.ts';
import type { StoreDiscount } from '../store-product.ts';

/** Makes a discount of each coupon. Of those with one code, customers get the newest one that is published. */
export function discountsOf(coupons: readonly PlacedObject[], now: Date): StoreDiscount[] {
  const taken = new Map<string, JsonObject>();
  for (const { object } of coupons) {
    const other = taken.get(lookUpCode(object));
    if (other === undefined || rankOf(object) > rankOf(other))
      taken.set(lookUpCode(object), object);
  }
  return coupons.map((coupon) => {
    const discount = discountOf(coupon, now);
    const used = taken.get(lookUpCode(coupon.object));
    if (lookUpCode(coupon.object) === '' || used === coupon.object) return discount;
    const reason = `coupon ${writtenOf(used?.['id'])} has the same code, and is the one that customers get`;
    return { ...discount, obstacle: { reason, kind: 'unsupported' } };
  });
}

/** A code as WooCommerce looks it up. */
function lookUpCode({ code }: JsonObject): string {
  return writtenOf(code).trim().toLowerCase();
}

/** Of coupons with one code, customers get that of the highest rank: a published one, of those the newest. */
function rankOf({ status, date_created_gmt: created, id }: JsonObject): string {
  const publication = status === 'publish' ? 1 : 0;
  // The times are written alike, so they are in the order of their texts.
  return [publication, writtenOf(created), writtenOf(id).padStart(20)].join(' ');
}

function discountOf({ place, object }: PlacedObject, now: Date): StoreDiscount {
  const values = new Values();
  const obstacle = obstacleOf(object);
  return {
    place,
    id: writtenOf(object['id']) || undefined,
    code: writtenOf(object['code']),
    title: values.text('description', object['description']),
    percent: obstacle ? undefined : percentOf(object, values),
    isActive: isActive(object, now, values),
    maxUses: limitOf(object, values),
    currentUses: values.quantity('currentUses', object['usage_count']),
    leftOut: values.leftOut,
    obstacle,
  };
}

function percentOf({ amount }: JsonObject, values: Values): number | undefined {
  const written = writtenOf(amount);
  if (/^\d+(?:\.\d+)?$/.test(written)) return Number(written);
  values.leaveOut(notA('a percentage', 'discountPercent', amount));
  return undefined;
}

/** Null or 0 is no limit. */
function limitOf({ usage_limit: limit }: JsonObject, values: Values): number | null | undefined {
  if (limit === undefined) return undefined;
  const count = limit === null ? 0 : values.quantity('maxUses', limit);
  return count === 0 ? null : count;
}

function obstacleOf(coupon: JsonObject): Omission | undefined {
  const { discount_type: type, amount, free_shipping: isFreeShipping } = coupon;
  if (type === 'percent') return undefined;
  if (type !== 'fixed_cart' && type !== 'fixed_product') return obstacleOfType(type);
  const isAlone = isFreeShipping === true && Number(writtenOf(amount)) === 0;
  const reason = isAlone ? 'it gives free shipping alone' : 'it is a fixed amount';
  return { reason, kind: 'unsupported' };
}

/** WooCommerce refuses a coupon that is not published, or from the time at which it expires. */
function isActive(coupon: JsonObject, now: Date, values: Values): boolean | undefined {
  const { status, date_expires_gmt: inUtc, date_expires: local } = coupon;
  if (status == null) return undefined;
  if (typeof status !== 'string')
    return values.read<boolean>('a status', 'active', status, undefined);
  // The local time has no zone; without the other one, UTC is the best guess.
  const end = inUtc ?? local ?? '';
  if (end === '') return status === 'publish';
  const time = Date.parse(utcTime(`${writtenOf(end)}Z`));
  const isValid = Number.isNaN(time) ? undefined : time > now.getTime();
  return values.read('a time', 'active', end, isValid && status === 'publish');
}
