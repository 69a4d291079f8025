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

/** The field whose values are equal whatever their case. */
const ANY_CASE = 'code';

/**
 * Returns the key of an item: the value that identifies it, as the service compares it. A mirror compares only keys,
 * because values that a store distinguishes can be one value in the service.
 */
export function keyOf(spelling: string, { key }: Pick<ItemFields, 'key'>): string {
  const text = cleaned(spelling);
  return key === ANY_CASE ? text.toLowerCase() : text;
}

/** The fields whose values are times. */
const TIMES: ReadonlySet<string> = new Set(['lastSyncedAt', 'sourceUpdatedAt']);

/** A fraction of a second, and the decimals that the service cuts off. `Date.parse` does not always do so. */
const FINER = /(\.\d{3})\d+/;

/** Returns a text that is equal for items that are equal in the service, which normalizes texts and times. */
export function textOf({ spelling, values }: Item, by: ItemFields): string {
  const texts = by.fields.map((field) => stored(values[field], field));
  return JSON.stringify([keyOf(spelling, by), ...texts]);
}

/** Returns a value as the service stores it, if the service accepts it. */
function stored(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => stored(one, field));
  if (typeof value !== 'string') return value;
  const text = cleaned(value);
  const time = TIMES.has(field) ? Date.parse(text.replace(FINER, '$1')) : NaN;
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** Returns a text as the service stores every text. */
function cleaned(text: string): string {
  return text.trim().normalize();
}
