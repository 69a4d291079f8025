import type { Product, ProductPatch } from '../types.ts';

/** A field of a product that a mirror can copy. */
export type MirrorField = Exclude<keyof ProductPatch, 'sku'>;

/** What both sides keep of a product. Its SKU identifies it. */
export type MirrorItem<F extends MirrorField> = Readonly<{ sku: string } & Pick<Product, F>>;

/** An item inside a mirror, which learns the names of its fields only when it runs. */
export type Item = Readonly<{ sku: string } & Partial<Pick<Product, MirrorField>>>;

/** Returns what a mirror copies of a product, or undefined if the product has no SKU. */
export function itemOf(product: Product, fields: readonly MirrorField[]): Item | undefined {
  const { sku } = product;
  return sku === null ? undefined : pick({ ...product, sku }, fields);
}

/** Returns the SKU and the fields that a mirror copies. */
export function pick(source: Item, fields: readonly MirrorField[]): Item {
  const item: Item = { sku: source.sku };
  for (const field of fields) Object.assign(item, { [field]: source[field] });
  return item;
}

/**
 * Returns the key of a SKU: the SKU as the service stores it. A mirror compares only keys, because SKUs that a store
 * distinguishes can be one SKU in the service.
 */
export function keyOf(sku: string): string {
  return cleaned(sku);
}

/** The fields whose values are times. */
const TIMES: ReadonlySet<MirrorField> = new Set(['lastSyncedAt', 'sourceUpdatedAt']);

/** A fraction of a second, and the decimals that the service cuts off. `Date.parse` does not always do so. */
const FINER = /(\.\d{3})\d+/;

/** Returns a text that is equal for items that are equal in the service, which normalizes texts and times. */
export function textOf(item: Item, fields: readonly MirrorField[]): string {
  return JSON.stringify([keyOf(item.sku), ...fields.map((field) => stored(item[field], field))]);
}

/** Returns a value as the service stores it, if the service accepts it. */
function stored(value: unknown, field: MirrorField): unknown {
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
