/** What a sync did, or in a dry run would do. */
export interface SyncReport {
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  /**
   * How many missing resources are not deleted: because they are more than `max`, because no item was accepted, or because
   * nobody can tell which resource an item means.
   */
  withheld: number;
  /** The resources that are missing from the list, and stay for another reason. */
  readonly kept: Kept[];
  /** The items that are refused. Their resources stay as they are. */
  readonly refused: RefusedItem[];
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
  /** Its value in the field that items match by; null if it has none. */
  readonly key: string | null;
  readonly error: string;
}

/** A sync that ended before everything was done. Run it again to continue. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** What was done before. What the last request did may be missing in it. */
  readonly report: SyncReport;

  constructor(report: SyncReport, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.report = report;
  }
}
