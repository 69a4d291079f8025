import type { JsonReader } from '../json-values.ts';

/** Reads JSON of WooCommerce. */
export const readWooCommerceJson: JsonReader = () => undefined;
