import { Collection } from './collection.ts';
import { BrandProfile } from './profile.ts';
import type { ClientOptions } from './transport.ts';
import { Transport } from './transport.ts';
import type { CouponCodeTypes, ProductTypes } from './types.ts';

export type { CallOptions } from './abort.ts';
export type {
  ChangesPage,
  Collection,
  CollectionTypes,
  CreateOptions,
  FollowOptions,
  Items,
  ListOptions,
} from './collection.ts';
export type { ErrorCode } from './error.ts';
export { BrandApiError } from './error.ts';
export type { Problem } from './problems.ts';
export type { Pushed, PushOptions, PushProgress, PushResult, RefusedPush } from './push.ts';
export type { BrandProfile } from './profile.ts';
export type { ChangeOptions, Tagged } from './resource.ts';
export type { DeletionLimits, SyncOptions, SyncProgress } from './sync/options.ts';
export type {
  Kept,
  RefusedItem,
  SyncChange,
  SyncPlan,
  SyncReport,
  WithheldBecause,
} from './sync/report.ts';
export { SyncError } from './sync/report.ts';
export type { ClientOptions, RequestEvent } from './transport.ts';
export type * from './types.ts';

/**
 * A client of the Brand Integration API for any runtime with `fetch`. It pages through lists, follows changes, splits large
 * pushes, retries when that is safe, makes every creation safe to repeat, and reads its own writes.
 */
export class BrandClient {
  readonly profile: BrandProfile;
  readonly products: Collection<ProductTypes>;
  readonly couponCodes: Collection<CouponCodeTypes>;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.profile = new BrandProfile(transport);
    this.products = new Collection(transport, {
      path: 'products',
      one: 'product',
      many: 'products',
      deletedMany: 'deletedProductIds',
    });
    this.couponCodes = new Collection(transport, {
      path: 'coupon-codes',
      one: 'couponCode',
      many: 'couponCodes',
      deletedMany: 'deletedCouponCodeIds',
    });
  }
}
