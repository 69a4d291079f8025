import type { CallOptions } from './abort.ts';
import { Collection } from './collection.ts';
import type { ChangeOptions, Tagged } from './resource.ts';
import { declared, member, sendFields, tagged } from './resource.ts';
import type { ClientOptions, ClientResponse } from './transport.ts';
import { Transport } from './transport.ts';
import type * as Types from './types.ts';
import type { Profile, ProfileInput, ProfilePatch } from './types.ts';

export type { CallOptions } from './abort.ts';
export type { ChangesPage, CreateOptions, FollowOptions, Items } from './collection.ts';
export { BrandApiError } from './error.ts';
export type { Problem } from './problems.ts';
export type { Pushed, PushOptions, PushProgress, PushResult, RefusedPush } from './push.ts';
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
export type { ClientOptions } from './transport.ts';
export type * from './types.ts';

/**
 * A client of the Brand Integration API for any runtime with `fetch`. It pages through lists, follows changes, splits large
 * pushes, retries when that is safe, makes every creation safe to repeat, and reads its own writes.
 */
export class BrandClient {
  readonly products: Collection<
    Types.Product,
    Types.ProductInput,
    Types.ProductReplacement,
    Types.ProductPatch,
    Types.ProductDeletion,
    Types.ProductFilters,
    Types.ProductMatch
  >;
  readonly couponCodes: Collection<
    Types.CouponCode,
    Types.CouponCodeInput,
    Types.CouponCodeReplacement,
    Types.CouponCodePatch,
    Types.CouponCodeDeletion,
    Types.CouponCodeFilters,
    Types.CouponCodeMatch
  >;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.products = new Collection(this.#transport, {
      path: 'products',
      one: 'product',
      many: 'products',
      deletedMany: 'deletedProductIds',
    });
    this.couponCodes = new Collection(this.#transport, {
      path: 'coupon-codes',
      one: 'couponCode',
      many: 'couponCodes',
      deletedMany: 'deletedCouponCodeIds',
    });
  }

  /** Reads the brand and its store connection. */
  async getProfile(options?: CallOptions): Promise<Tagged<Profile>> {
    return taggedProfile(await this.#transport.send({ method: 'GET', path: 'profile' }, options));
  }

  /** Replaces all writable fields in both halves. */
  async replaceProfile(input: ProfileInput, options: ChangeOptions = {}): Promise<Tagged<Profile>> {
    return taggedProfile(await sendFields(this.#transport, 'PUT', 'profile', input, options));
  }

  /** Changes the fields in `patch`. */
  async updateProfile(patch: ProfilePatch, options: ChangeOptions = {}): Promise<Tagged<Profile>> {
    return taggedProfile(await sendFields(this.#transport, 'PATCH', 'profile', patch, options));
  }
}

/** Returns the profile of a response, which has no envelope. */
function taggedProfile(response: ClientResponse): Tagged<Profile> {
  member(response, 'brand', 'object');
  return tagged(response, declared<Profile>(response.body));
}
