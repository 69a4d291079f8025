import type { ChangesPage, FollowOptions } from '../collection.ts';
import { BrandApiError } from '../error.ts';
import type { Pushed, PushOptions, PushResult } from '../push.ts';
import type { Tagged } from '../resource.ts';
import type { ItemFields, MirrorField, MirrorItem, MirrorKey } from './item.ts';
import type { State } from './state.ts';

/** Whose items are right. */
export type Side = 'service' | 'store';

/** What changed in a store after a token. */
export interface StoreChanges<I> {
  /** Each changed item, as it is now. */
  readonly changed: readonly I[];
  /** The keys of deleted items, as the store spells them. */
  readonly deleted: readonly string[];
  /** The token to continue from. */
  readonly since: string;
}

/** Your side of a mirror, with items of any kind. It keeps values exactly as they are given. */
export interface StoreOf<I> {
  /** Returns what changed after a token, or all items if it is undefined. */
  changes(since: string | undefined): Promise<StoreChanges<I>>;
  /** Creates or changes an item. */
  save(item: I): Promise<void>;
  /** Deletes an item, if it is there. */
  remove(key: string): Promise<void>;
}

/** Your side of a mirror of products. */
export type MirroredStore<F extends MirrorField, K extends MirrorKey = 'sku'> = StoreOf<
  MirrorItem<F, K>
>;

/** What a mirror needs of a collection of the client. */
export interface MirroredCollection {
  changes(options: FollowOptions): AsyncGenerator<ChangesPage<{ readonly id: string }>, void>;
  get(id: string): Promise<Tagged<object>>;
  push(
    items: readonly object[],
    options: PushOptions<Pushed, string>,
  ): Promise<PushResult<Pushed>[]>;
}

/** A run of a mirror. */
export interface Job extends ItemFields {
  readonly collection: MirroredCollection;
  /** What the service calls its resources, such as `products`. */
  readonly nouns: string;
  readonly store: StoreOf<object>;
  readonly state: State;
  readonly persist: () => Promise<void>;
  readonly report: (problem: string) => void;
}

/** Whether an error is the service's, with this status. */
export function isStatus(error: unknown, status: number): boolean {
  return error instanceof BrandApiError && error.isFromService && error.status === status;
}
