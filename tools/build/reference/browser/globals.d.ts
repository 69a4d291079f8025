import type { SearchEntry, TryOperation } from './data.ts';

// What the build puts into the script in place of these names.

declare global {
  const SEARCH_ENTRIES: readonly SearchEntry[];
  /** By the id of the operation. */
  const TRY_OPERATIONS: Readonly<Record<string, TryOperation>>;
  /** Stands in samples for the address of the service. */
  const SAMPLE_ORIGIN: string;
}
