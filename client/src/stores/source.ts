import type { CollectionName } from '../fields.ts';
import type { JsonObject } from './json.ts';

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

/** Something of a source that does not become an item, or a field that is left out of one. */
export interface SkippedPart {
  /** The value of the field to match by; null if it is not known. Its resource must stay. */
  readonly key: string | null;
  /** The field, if everything else of the item is taken. The reason begins with it. */
  readonly field?: string;
  readonly reason: string;
  /** `unsupported`: the service cannot hold it, and nobody can help that. `problem`: somebody must look at it. */
  readonly kind: 'unsupported' | 'problem';
}

/** Why a list may be incomplete, or why nobody can tell which resource a part of it means. Then nothing is deleted. */
export interface Doubt {
  readonly sentence: string;
  /** Whether the list may have been cut off. Then `read` prints nothing of it. */
  readonly mayBeCut?: boolean;
}

/** What of a source was not taken, and what is doubtful. */
export interface Findings {
  readonly skipped: readonly SkippedPart[];
  readonly doubts: readonly Doubt[];
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
  /**
   * The `storeVariantId` of what the service cannot hold, if another field is matched by: it may have no key, or another one than
   * its resource, which is not missing.
   */
  readonly unsupportedVariants: readonly string[];
  /** Whether a resource may be in a part of the source that nobody could read, so that it is not missing. */
  readonly isUnread?: ((resource: AnyResource) => boolean) | undefined;
  /** Sentences for the report, such as "3 control characters were removed." */
  readonly notes: readonly string[];
  /** The field to match by: the one of the options, or what the format has by default; undefined if the user must say it. */
  readonly match: string | undefined;
  /** Whether they are of a store, and not this API's own items. */
  readonly isOfStore: boolean;
  /** The `source` that its items have, and that what is deleted must have; undefined if they may have any. */
  readonly source: string | undefined;
}

/** Why a source keeps each resource that its list lacks, by its id; undefined if it really does not have it. */
export type Confirmation = ReadonlyMap<string, string | undefined>;

/** Something that has a complete list: a file, or a store. It throws errors whose messages are sentences. */
export interface Source<Reading = SourceReading> {
  /** Reads it to its end. */
  read(): Promise<Reading>;
  /** Asks once more for resources, at most 100, that the list lacks. A file has none of them, unless it has changed. */
  confirm(resources: readonly AnyResource[]): Promise<Confirmation>;
}

export interface SourceReading<Read = Content> {
  readonly content: Read;
  /** The time of a file; of a store, the time before its first page. */
  readonly readAt: Date;
  /** Of a store, its host names, first the one by which it is known to its own. */
  readonly domains?: readonly string[] | undefined;
}
