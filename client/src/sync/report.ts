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
  /**
   * How many missing resources are not deleted: because they are more than `max`, because no item was accepted, or because
   * an item has no key, or one that nobody can read.
   */
  withheld: number;
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
  readonly error: string;
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
