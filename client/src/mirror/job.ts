import { BrandApiError } from '../error.ts';
import type { BrandClient } from '../index.ts';
import type { Item, MirrorField, MirrorItem } from './item.ts';
import type { State } from './state.ts';

/** Whose products are right. */
export type Side = 'service' | 'store';

/** What changed in a store after a token. */
export interface StoreChanges<I> {
  /** Each changed item, as it is now. */
  readonly changed: readonly I[];
  /** The SKUs of deleted items. */
  readonly deleted: readonly string[];
  /** The token to continue from. */
  readonly since: string;
}

/** Your side of a mirror. It keeps values exactly as they are given. */
export interface MirroredStore<F extends MirrorField> {
  /** Returns what changed after a token, or all items if it is undefined. */
  changes(since: string | undefined): Promise<StoreChanges<MirrorItem<F>>>;
  /** Creates or changes an item. */
  save(item: MirrorItem<F>): Promise<void>;
  /** Deletes an item, if it is there. */
  remove(sku: string): Promise<void>;
}

/** A run of a mirror. */
export interface Job {
  readonly products: BrandClient['products'];
  readonly store: {
    changes(since: string | undefined): Promise<StoreChanges<Item>>;
    save(item: Item): Promise<void>;
    remove(sku: string): Promise<void>;
  };
  readonly fields: readonly MirrorField[];
  readonly state: State;
  readonly persist: () => Promise<void>;
  readonly report: (problem: string) => void;
}

/** Whether an error is the service's, with this status. */
export function isStatus(error: unknown, status: number): boolean {
  return error instanceof BrandApiError && error.isFromService && error.status === status;
}
