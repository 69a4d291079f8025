import type { Candidate } from './candidates.ts';
import type { Prices } from './prices.ts';

/** How to read an export. */
export interface ExportOptions {
  readonly currency: string;
  readonly prices: Prices;
  readonly variants: 'all' | 'first';
}

/** What an export holds. */
export interface ExportContent {
  readonly candidates: readonly Candidate[];
  /** How many items have a price that is not read, and what it is called. */
  readonly leftOut: number;
  readonly leftOutName: string;
  /** How many products have more variants than the one that is read. */
  readonly reduced: number;
}
