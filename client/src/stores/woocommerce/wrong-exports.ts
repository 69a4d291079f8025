import type { WrongExport } from '../store.ts';

const ANALYTICS = 'figures of WooCommerce Analytics';

const instead = 'Use what /wp-json/wc/v3/products gives, or "wp wc product list --format=json".';

const IMPORTERS = 'products as WebToffee and Product CSV Import Suite export them';
const ALL_EXPORT = 'products as WP All Export writes them';
const ADMIN =
  'Use the export of WooCommerce itself (Products, Export, with all columns), or --from woocommerce.';

/** What people take from WooCommerce and WordPress by mistake, by names that nothing else has. */
export const WRONG_EXPORTS: readonly WrongExport[] = [
  { name: ANALYTICS, columns: ['Product title', 'Items sold'] },
  { name: ANALYTICS, columns: ['Order #', 'Status', 'Customer'] },
  { name: ANALYTICS, columns: ['Product / Variation', 'SKU', 'Stock'] },
  { name: ANALYTICS, columns: ['Coupon code', 'Orders', 'Amount discounted'] },
  { name: IMPORTERS, columns: ['post_title', 'tax:product_type'], instead: ADMIN },
  { name: IMPORTERS, columns: ['post_title', 'regular_price'], instead: ADMIN },
  { name: IMPORTERS, columns: ['post_title', '_regular_price'], instead: ADMIN },
  { name: ALL_EXPORT, columns: ['Title', 'Regular Price', 'Product Type'], instead: ADMIN },
  { name: ALL_EXPORT, columns: ['Title', 'Post Type', 'Product Type'], instead: ADMIN },
  {
    name: 'products of WooCommerce as WP-CLI prints CSV',
    columns: ['id', 'name', 'regular_price'],
    instead:
      'Use "wp wc product list --format=json", the export of WooCommerce itself, or --from woocommerce.',
  },
  { name: "products of WooCommerce's Store API", members: ['prices', 'is_purchasable'], instead },
  { name: 'posts of WordPress', members: ['title', 'guid', 'type', 'link'], instead },
  { name: 'orders of WooCommerce', members: ['line_items', 'order_key'], instead },
  { name: 'products without regular_price', members: ['stock_status'], instead },
  { name: 'products without regular_price', members: ['catalog_visibility', 'slug'], instead },
];
