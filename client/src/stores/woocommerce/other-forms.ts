import type { OtherForm } from '../store.ts';

const ANALYTICS = 'figures of WooCommerce Analytics';

const instead = 'Use what /wp-json/wc/v3/products gives, or "wp wc product list --format=json".';

/** What people take from WooCommerce and WordPress by mistake, by names that nothing else has. */
export const OTHER_FORMS: readonly OtherForm[] = [
  { name: ANALYTICS, columns: ['Product title', 'Items sold'] },
  { name: ANALYTICS, columns: ['Order #', 'Status', 'Customer'] },
  { name: ANALYTICS, columns: ['Product / Variation', 'SKU', 'Stock'] },
  { name: ANALYTICS, columns: ['Coupon code', 'Orders', 'Amount discounted'] },
  { name: "products of WooCommerce's Store API", members: ['prices', 'is_purchasable'], instead },
  { name: 'posts of WordPress', members: ['title', 'guid', 'type', 'link'], instead },
  { name: 'orders of WooCommerce', members: ['line_items', 'order_key'], instead },
  { name: 'products without regular_price', members: ['stock_status'], instead },
  { name: 'products without regular_price', members: ['catalog_visibility', 'slug'], instead },
];
