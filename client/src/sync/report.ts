import type { Problem } from '../problems.ts';

/**
 * Why nothing is deleted. Of several reasons, the first of these: the caller has `doubts` about the list; it is `unclear` which
 * resource an item means; the service accepted no item; or more are missing than the `limit`.
 */
export type WithheldBecause = 'doubts' | 'unclear' | 'nothing-accepted' | 'limit';

/** What a sync did, or in a dry run would do. */
export interface SyncReport {
  created: number;
  updated: number;
  /** The items that change nothing: those whose resource is equal, and those with their key alone. */
  unchanged: number;
  /**
   * The resources that this sync deleted. What somebody else deleted meanwhile does not count. If the response to a
   * deletion was lost, and the resource is gone, it counts.
   */
  deleted: number;
  /** How many missing resources are not deleted, because all deletions are withheld. */
  withheld: number;
  /** Why; absent if none is withheld. */
  withheldBecause?: WithheldBecause;
  /** The owned resources without a value in the field that items match by. No item can mean them. */
  unmatched: number;
  /** The resources that are missing from the list, and stay for another reason. */
  readonly kept: Kept[];
  /** The items that are refused. Their resources stay as they are. */
  readonly refused: RefusedItem[];
  /** In a dry run: each creation, change and deletion. */
  readonly changes?: SyncChange[];
}

/** What a sync would do to one resource. */
export interface SyncChange {
  /** `withhold`: it is missing, but nothing is deleted. */
  readonly action: 'create' | 'update' | 'delete' | 'withhold';
  /** The value in the field that items match by. */
  readonly key: string;
  /** Null for a creation. */
  readonly id: string | null;
  /** Of a product its title, and of a coupon code its code. */
  readonly title: string;
  /** The old and the new value of each field that changes. A new resource has only null before. Not of a deletion. */
  readonly fields?: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** A resource without an item that is not deleted. */
export interface Kept {
  readonly id: string;
  /** Its value in the field that items match by. */
  readonly key: string;
  readonly reason: string;
}

/** An item that was not written. */
export interface RefusedItem {
  /** Its place in the list of items, from 0. */
  readonly index: number;
  /** Its value in the field that items match by; null if it has none that can be read. */
  readonly key: string | null;
  /** What is wrong, as one text. */
  readonly error: string;
  /** The same, one by one. */
  readonly problems: readonly Problem[];
  /** The index of the earlier item that has the same value. */
  readonly sameAs?: number;
}

/** What a sync would do, and can do. */
export interface SyncPlan extends SyncReport {
  readonly changes: SyncChange[];
  /**
   * Does what the plan says, and nothing else: what is not among its `changes` stays as it is, and so does what somebody has
   * changed since. Asks `confirm` again. A plan is executed once.
   * @throws as `sync`; TypeError if it was executed before
   */
  readonly execute: () => Promise<SyncReport>;
}

/** A sync that ended before everything was done. Run it again to continue. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** What was done before. What the last requests did may be missing in it. */
  readonly report: SyncReport;

  constructor(report: SyncReport, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.report = report;
  }
}
