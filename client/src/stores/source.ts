import type { CollectionName } from '../fields.ts';
import type { JsonObject } from './json-values.ts';

/** What is read, and how. The flags of the command line are such options. */
export interface ReadOptions {
  readonly collection: CollectionName;
  /** The field to match by, if it is not the default. */
  readonly match?: string | undefined;
  /** The variants that become products, by default all. `first` adds up their inventory. */
  readonly variants?: 'all' | 'first' | undefined;
  /** Whether a file is complete though its last line has no end, or it is as long as a page. */
  readonly whole?: boolean | undefined;
  /** The currency of the prices, by default USD. That of the store counts, if it says it. */
  readonly currency?: string | undefined;
  /** Whether prices that are written for people are written `1.299,00`. */
  readonly decimalComma?: boolean | undefined;
}

/** A resource of any collection of the service. */
export type AnyResource = JsonObject & { readonly id: string };

/** What of a source is not taken, and why. The reader that finds it makes it. */
export interface Omission {
  /** The field of the service whose value is the reason. */
  readonly field?: string;
  /** A sentence without its subject: `it has no price`. */
  readonly reason: string;
  /** `unsupported`: the service cannot hold it, and nobody can help that. By default it is a problem: somebody must look at it. */
  readonly kind?: 'unsupported' | 'problem' | undefined;
}

/** A value that cannot be read. Its field stays as it is in the service, and everything else is taken. */
export interface LeftOutField extends Omission {
  readonly field: string;
}

/** An omission with the key of its resource. If it has a field, everything else of its item is taken. */
export interface SkippedPart extends Omission {
  /** The value of the field to match by; null if it is not known. */
  readonly key: string | null;
  readonly kind: NonNullable<Omission['kind']>;
}

/**
 * A resource that is not missing, because the source has it, or may have it, without an item: by a field that identifies it, or by
 * the numbers between which one of its ids in the store is.
 */
export type StayingResource =
  | { readonly field: string; readonly value: string }
  | { readonly after: number; readonly before: number };

/** Why a list may be incomplete, or why nobody can tell which resource a part of it means. Then nothing is deleted. */
export interface Doubt {
  readonly sentence: string;
  /** Whether the list may have been cut off. Then `read` prints nothing of it. */
  readonly mayBeCut?: boolean;
}

/** What is said of a source besides its items. */
export interface Findings {
  readonly skipped: readonly SkippedPart[];
  readonly stays: readonly StayingResource[];
  readonly doubts: readonly Doubt[];
  /** Sentences for the report, such as "3 control characters were removed." */
  readonly notes: readonly string[];
}

/** A complete list of items, as it was read. */
export interface Content extends Findings {
  /** `json`, `ndjson` or `csv`, or the name of a store. */
  readonly format: string;
  /** Push items, without `deleted`. */
  readonly items: readonly JsonObject[];
  /**
   * Where each item is in the source, as a person finds it: `row 12`, `line 3`, `item 5` (all from 1, rows as spreadsheets
   * count), or `product 4711`. In the order of the items.
   */
  readonly places: readonly string[];
  /** The field to match by: the one of the options, or what the format has by default; undefined if the user must say it. */
  readonly match: string | undefined;
  /** Whether they are of a store, and not this API's own items. */
  readonly isOfStore: boolean;
  /** The `source` that its items have, and that what is deleted must have; undefined if they may have any. */
  readonly source: string | undefined;
}

/** Why each resource that the list lacks is kept, by its id; undefined if the source really does not have it. */
export type Confirmation = ReadonlyMap<string, string | undefined>;

/** Something that has a complete list: a file, or a store. It throws errors whose messages are sentences. */
export interface Source {
  /** Reads it to its end. */
  read(): Promise<SourceReading>;
  /** Asks once more for resources, at most 100, that the list lacks. A file has none of them, unless it has changed. */
  confirm(resources: readonly AnyResource[]): Promise<Confirmation>;
}

/** What was read of a source, and when. */
export interface SourceReading extends Content {
  /** The time of a file; of a store, the time before it is asked anything. */
  readonly readAt: Date;
  /** The host names of a store. */
  readonly domains?: readonly string[] | undefined;
}
