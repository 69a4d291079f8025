import type { PushItem } from './push.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

export type Profile = Schemas['Profile'];
export type ProfileInput = Schemas['ProfileInput'];
/** The fields to change, in either half or both. */
export type ProfilePatch = ReadOnlyFields & {
  brand?: Patch<Schemas['Brand']>;
  connection?: Patch<Schemas['Connection']>;
};
export type Product = Schemas['Product'];
export type ProductInput = Schemas['ProductReplacement'];
/** A complete product. A field that is left out gets its default, unless it says that a PUT keeps it. */
export type ProductReplacement = ProductInput;
export type ProductPatch = Patch<Product>;
/** A push item that deletes a product, without the field to match by. */
export type ProductDeletion = Deletion & Pick<ProductPatch, 'sourceUpdatedAt'>;
/** An item of a push of products: the fields to set, or a deletion, with the field to match by. */
export type ProductPushItem<M extends ProductMatch> = PushItem<ProductPatch, ProductDeletion, M>;
export type ProductFilters = Filters<Schemas['ProductFilters']>;

/** What the operations on products take and give. */
export interface ProductTypes {
  readonly resource: Product;
  readonly input: ProductInput;
  readonly replacement: ProductReplacement;
  readonly patch: ProductPatch;
  readonly deletion: ProductDeletion;
  readonly filters: ProductFilters;
  readonly match: ProductMatch;
}

/** The fields by which a push of products can match. */
export type ProductMatch = Schemas['ProductMatch'];

export type CouponCode = Schemas['CouponCode'];
export type CouponCodeInput = Schemas['CouponCodeReplacement'];
/** A complete coupon code. A field that is left out gets its default, unless it says that a PUT keeps it. */
export type CouponCodeReplacement = CouponCodeInput;
export type CouponCodePatch = Patch<CouponCode>;
/** A push item that deletes a coupon code, without the field to match by. */
export type CouponCodeDeletion = Deletion;
/** An item of a push of coupon codes: the fields to set, or a deletion, with the field to match by. */
export type CouponCodePushItem<M extends CouponCodeMatch> = PushItem<
  CouponCodePatch,
  CouponCodeDeletion,
  M
>;
export type CouponCodeFilters = Filters<Schemas['CouponCodeFilters']>;

/** What the operations on coupon codes take and give. */
export interface CouponCodeTypes {
  readonly resource: CouponCode;
  readonly input: CouponCodeInput;
  readonly replacement: CouponCodeReplacement;
  readonly patch: CouponCodePatch;
  readonly deletion: CouponCodeDeletion;
  readonly filters: CouponCodeFilters;
  readonly match: CouponCodeMatch;
}

/** The fields by which a push of coupon codes can match. */
export type CouponCodeMatch = Schemas['CouponCodeMatch'];

/** What a request may have only so that the response of a GET can be sent back. */
type ReadOnlyFields = Pick<ProductInput, 'id' | 'createdAt' | 'updatedAt'>;

/** The fields to change (RFC 7396). Omitted fields stay unchanged. */
type Patch<Resource> = Partial<Omit<Resource, keyof ReadOnlyFields>> & ReadOnlyFields;

type Deletion = { deleted: true } & Omit<ReadOnlyFields, 'id'>;

/** The filters of a list, each with one value or several. */
type Filters<F> = { [K in keyof F]: OneOrMore<F[K]> };

/** A parameter that takes a list takes one value too. */
type OneOrMore<V> = V extends readonly (infer T)[] ? T | readonly T[] : V;
