import type { JsonReader } from '../json-values.ts';

/** Reads JSON of Shopify. */
export const readShopifyJson: JsonReader = () => undefined;
