import { storedKey, storedValue } from '../stored.ts';
import type {
  CouponCode,
  CouponCodeMatch,
  CouponCodePatch,
  Product,
  ProductMatch,
  ProductPatch,
} from '../types.ts';

type ReadOnly = 'id' | 'createdAt' | 'updatedAt';

/** A field that can identify a product in a mirror. */
export type MirrorKey = Exclude<ProductMatch, 'id'>;

/** A field of a product that a mirror can copy. */
export type MirrorField = Exclude<keyof ProductPatch, ReadOnly>;

/** What both sides keep of a product: the field that identifies it, and those that are copied. */
export type MirrorItem<F extends MirrorField, K extends MirrorKey = 'sku'> = Readonly<
  Record<K, string> & Pick<Product, F>
>;

/** A field that can identify a coupon code in a mirror. */
export type CouponCodeKey = Exclude<CouponCodeMatch, 'id'>;

/** A field of a coupon code that a mirror can copy. */
export type CouponCodeField = Exclude<keyof CouponCodePatch, ReadOnly>;

/** What both sides keep of a coupon code: the field that identifies it, and those that are copied. */
export type CouponCodeItem<F extends CouponCodeField, K extends CouponCodeKey = 'code'> = Readonly<
  Record<K, string> & Pick<CouponCode, F>
>;

/** An item inside a mirror, which learns the names of its fields only when it runs. */
export interface Item {
  /** The value of the field that identifies it, as its side spells it. */
  readonly spelling: string;
  /** The fields that are copied. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The fields of a mirror: the one that identifies an item, and those that it copies. */
export interface ItemFields {
  readonly key: string;
  readonly fields: readonly string[];
}

/** Returns what a mirror copies of a resource or of an item of the store, or undefined if nothing identifies it. */
export function itemOf(source: object, { key, fields }: ItemFields): Item | undefined {
  const spelling: unknown = Reflect.get(source, key);
  if (typeof spelling !== 'string') return undefined;
  const values = fields.map((field): [string, unknown] => [field, Reflect.get(source, field)]);
  return { spelling, values: Object.fromEntries(values) };
}

/** Returns an item as the two sides have it. */
export function sourceOf({ spelling, values }: Item, { key }: ItemFields): Record<string, unknown> {
  return { [key]: spelling, ...values };
}

/** Returns the key of an item. A mirror compares only keys, because values that a store distinguishes can be one value in the service. */
export function keyOf(spelling: string, { key }: Pick<ItemFields, 'key'>): string {
  return storedKey(spelling, key);
}

/** Returns a text that is equal for items that are equal in the service. */
export function textOf({ spelling, values }: Item, by: ItemFields): string {
  const texts = by.fields.map((field) => storedValue(values[field], field));
  return JSON.stringify([keyOf(spelling, by), ...texts]);
}
