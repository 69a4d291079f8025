import { shopifySource } from '../../stores/shopify/source.ts';
import { woocommerceSource } from '../../stores/woocommerce/source.ts';
import type { StoreSource } from '../../stores/source.ts';

/** The names of the stores that can be read directly, as on the command line. */
export const STORE_NAMES = ['shopify', 'woocommerce'] as const;

export type StoreName = (typeof STORE_NAMES)[number];

export const STORES: Readonly<Record<StoreName, StoreSource>> = {
  shopify: shopifySource,
  woocommerce: woocommerceSource,
};
