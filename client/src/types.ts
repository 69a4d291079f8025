import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

export type Profile = Schemas['Profile'];
export type ProfileInput = Schemas['ProfileInput'];
export type ProfilePatch = Schemas['ProfilePatch'];
export type Product = Schemas['Product'];
export type ProductInput = Schemas['ProductInput'];
export type ProductPatch = Schemas['ProductPatch'];
export type ProductFilters = Filters<operations['listProducts']>;
export type CouponCode = Schemas['CouponCode'];
export type CouponCodeInput = Schemas['CouponCodeInput'];
export type CouponCodePatch = Schemas['CouponCodePatch'];
export type CouponCodeFilters = Filters<operations['listCouponCodes']>;

/** The parameters of a list without those of paging, which the client sees to. */
type Filters<O extends { parameters: { query?: object } }> = Omit<
  NonNullable<O['parameters']['query']>,
  'limit' | 'cursor' | 'since'
>;
