import type { CollectionName } from '../fields.ts';
import type { Findings, LeftOutField, Omission } from './source.ts';

// What stores have, in one shape for all platforms and forms. Readers make it, and one function makes items of it. A member that is
// undefined is not in the source, so its field stays as it is in the service. Texts are as the source has them: entities, tags and
// control characters included.

/** The status of a product, in the service's words. */
export type StoreStatus = 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'UNLISTED';

/** The inventory of a variant: a number if the store counts it, which may have parts. */
export type Stock = number | 'in stock' | 'out of stock';

interface StorePart {
  /** Where it is, for a report about something without a key: `row 12`, `line 3`, `product 4711`. */
  readonly place: string;
  /** The id of the store, such as `4711` or `gid://shopify/Product/4711`. The only variant of a product may have the id of its product. */
  readonly id?: string | undefined;
  /**
   * The values that cannot be read. Everything else is taken: what cannot be read of a variant is not that of its product instead.
   */
  readonly leftOut?: readonly LeftOutField[] | undefined;
  /** Why it cannot be taken. If that is `unsupported`, nobody expects it in the service. */
  readonly obstacle?: Omission | undefined;
}

/** What a product has, and a variant that has its own in place of it. */
interface Described extends StorePart {
  /** HTML, such as `<p>Of cotton</p>`. */
  readonly description?: string | undefined;
  /** That of a variant counts only if its product is active. */
  readonly status?: StoreStatus | undefined;
  /** Such as `['https://cdn.example/shirt.jpg']`; empty if it has none. */
  readonly imageUrls?: readonly string[] | undefined;
  /** `sourceUpdatedAt`: a time with a zone, such as `2026-11-27T21:52:23Z`. */
  readonly updatedAt?: string | undefined;
}

export interface StoreProduct extends Described {
  /** Such as `red-shirt`: in lower case, without white space and `/`. If it is empty, it is the slug of the title. */
  readonly handle?: string | undefined;
  /** Such as `Red Shirt`; empty if it has none. */
  readonly title: string;
  /**
   * A product without options has one variant. With an obstacle, which is that of all of them, there may be none; those that there
   * are name the resources that stay.
   */
  readonly variants: readonly StoreVariant[];
}

export interface StoreVariant extends Described {
  /** Such as `SHIRT-RED-M`; null if it has none; undefined if the source has no SKUs. */
  readonly sku?: string | null | undefined;
  /**
   * One value for each option of the product, which may be empty, such as `['Red', 'M']`; none if the product has no options.
   * Undefined if they cannot be read: then its title and handle are not known.
   */
  readonly options: readonly string[] | undefined;
  /** As written, such as `8.50`; empty if it has none; undefined if it is among what is left out. */
  readonly price: string | undefined;
  /** Whether there is the price that the store's `otherPrice` names, which is not taken. */
  readonly hasOtherPrice: boolean;
  readonly stock?: Stock | undefined;
  /** Whether the stock is that of its product, which it shares with other variants. */
  readonly sharesStock?: boolean | undefined;
  /** The image of the variant among those of its product. */
  readonly imageUrl?: string | undefined;
}

export interface StoreDiscount extends StorePart {
  /** Such as `SUMMER-10`. */
  readonly code: string;
  /** `description`, such as `Ten percent in summer`. */
  readonly title?: string | undefined;
  /** The percentage, such as 7 for 7 %. */
  readonly percent?: number | undefined;
  readonly isActive?: boolean | undefined;
  /** Null: no limit. */
  readonly maxUses?: number | null | undefined;
  readonly currentUses?: number | undefined;
}

/** What a reader understood of a store, or of its file. If there are doubts, nothing is deleted. */
export interface StoreContent extends Partial<Findings> {
  /** What it has, if both lists may be empty. */
  readonly collection?: CollectionName | undefined;
  /** One of them has none. */
  readonly products?: readonly StoreProduct[];
  readonly discounts?: readonly StoreDiscount[];
  /** The fields that can identify its resources, the default first; absent if the source has all of them. */
  readonly matches?: readonly string[] | undefined;
  /** Whether its numbers are written for people, such as `1,299.00`. Otherwise a point stands before the decimals, and nothing else. */
  readonly hasWrittenNumbers?: boolean | undefined;
  /** The currency of the prices, such as `EUR`, if the store says it. */
  readonly currency?: string | undefined;
}
