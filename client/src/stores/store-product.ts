import type { AnyResource, SkippedPart } from './source.ts';

// What stores have, in one shape for all platforms and forms. Readers make it, and one function makes items of it.

/** Why something of a store cannot become an item. */
export interface Obstacle {
  /** A sentence without its subject: `it has no price`. */
  readonly reason: string;
  /** `unsupported`: the service cannot hold it, and nobody can help that. `problem`: somebody must look at it. */
  readonly kind: 'unsupported' | 'problem';
}

/**
 * A value that cannot be read. Its field stays as it is in the service, and everything else is taken: that of a variant is not
 * that of its product instead.
 */
export interface LeftOutField {
  /** The field of the service. */
  readonly field: string;
  /** A sentence without its subject: `it is "abc", which is no number`. */
  readonly reason: string;
}

/** The status of a product, in the service's words. */
export type StoreStatus = 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'UNLISTED';

/** The inventory of a variant: a number if the store counts it, which may have parts. */
export type Stock = number | 'in stock' | 'out of stock';

/**
 * A product of a store. A member that is undefined is not in the source, so its field stays as it is in the service. Texts are
 * as the source has them: entities, tags and control characters included.
 */
export interface StoreProduct {
  /** Where it is, for a report about a product without a key: `row 12`, `line 3`, `product 4711`. */
  readonly place: string;
  /** `storeProductId`, such as `4711` or `gid://shopify/Product/4711`. */
  readonly id?: string | undefined;
  /**
   * The handle of the store, such as `red-shirt`: in lower case, without white space and `/`. If it is empty, it is the slug of
   * the title.
   */
  readonly handle?: string | undefined;
  /** Such as `Red Shirt`; empty if it has none. */
  readonly title: string;
  /** HTML, such as `<p>Of cotton</p>`. */
  readonly description?: string | undefined;
  readonly status?: StoreStatus | undefined;
  /** Such as `['https://cdn.example/shirt.jpg']`; empty if it has none. */
  readonly imageUrls?: readonly string[] | undefined;
  /** `sourceUpdatedAt`: a time with a zone, such as `2026-11-27T21:52:23Z`. */
  readonly updatedAt?: string | undefined;
  /**
   * A product without options has one variant. With an obstacle there may be none; those that there are name the resources that
   * stay.
   */
  readonly variants: readonly StoreVariant[];
  readonly leftOut?: readonly LeftOutField[] | undefined;
  /** Why none of its variants can be taken. If that is `unsupported`, nobody expects it in the service. */
  readonly obstacle?: Obstacle | undefined;
}

export interface StoreVariant {
  /** Where it is, such as `variant 4712`. */
  readonly place: string;
  /** `storeVariantId`, such as `4712`. The only variant of a product may have the id of its product. */
  readonly id?: string | undefined;
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
  /** Its own description, in place of that of its product. */
  readonly description?: string | undefined;
  /** The image of the variant among those of its product. */
  readonly imageUrl?: string | undefined;
  /** Its own images, in place of those of its product. */
  readonly imageUrls?: readonly string[] | undefined;
  /** The status of the variant, if it has one of its own. It counts only if its product is active. */
  readonly status?: StoreStatus | undefined;
  readonly updatedAt?: string | undefined;
  readonly leftOut?: readonly LeftOutField[] | undefined;
  readonly obstacle?: Obstacle | undefined;
}

export interface StoreDiscount {
  /** Where it is, such as `coupon 7`. */
  readonly place: string;
  /** `storeDiscountId`, such as `7`. */
  readonly id?: string | undefined;
  /** As the source has it, such as `SUMMER-10`. */
  readonly code: string;
  /** `description`, such as `Ten percent in summer`. */
  readonly title?: string | undefined;
  /** The percentage, such as 7 for 7 %. */
  readonly percent?: number | undefined;
  readonly isActive?: boolean | undefined;
  /** Null: no limit. */
  readonly maxUses?: number | null | undefined;
  readonly currentUses?: number | undefined;
  readonly leftOut?: readonly LeftOutField[] | undefined;
  readonly obstacle?: Obstacle | undefined;
}

/** What a reader understood of a store, or of its file. */
export interface StoreContent {
  /** What it has, if both lists may be empty. */
  readonly collection?: 'products' | 'coupon-codes' | undefined;
  /** One of them is empty. */
  readonly products: readonly StoreProduct[];
  readonly discounts: readonly StoreDiscount[];
  /** The fields that can identify its resources, the default first; absent if the source has all of them. */
  readonly matches?: readonly string[] | undefined;
  /** Whether its prices are written for people, such as `1,299.00`. Otherwise a point stands before the decimals, and nothing else. */
  readonly hasWrittenPrices?: boolean | undefined;
  /** The currency of the prices, such as `EUR`, if the store says it. */
  readonly currency?: string | undefined;
  /**
   * Why the list may be incomplete, or something in it unreadable, as sentences, such as `The last row may be cut off.` If there
   * are any, nothing is deleted.
   */
  readonly doubts: readonly string[];
  /** Sentences for the report, such as `Shopify answered in a newer version.` */
  readonly notes: readonly string[];
  /** Whether one of the doubts is that the source may have been cut off; by default it was not. */
  readonly mayBeCut?: boolean | undefined;
  /** What cannot be read, or what the store counts and does not give. */
  readonly skipped?: readonly SkippedPart[] | undefined;
  /** Whether a resource may be in what it does not give, so that it is not missing. */
  readonly isUnread?: ((resource: AnyResource) => boolean) | undefined;
}
