import type { SyncReport as LibraryReport } from '../../../index.ts';

/** A change that a dry run would make. */
export interface SyncChange {
  readonly action: 'create' | 'update' | 'delete' | 'withhold';
  readonly key: string;
  readonly id: string | null;
  readonly title: string;
  readonly fields?: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** The report of the library, with what it will count. */
export interface SyncReport extends LibraryReport {
  unmatched?: number;
  changes?: readonly SyncChange[];
}
