import type { WrongExport } from '../store.ts';
import { ANOTHER_PLATFORM } from '../store.ts';

/** What to use in place of what cannot be read. */
export const BULK = 'Use the JSON lines of a bulk operation, or --from shopify.';

const CODES =
  'Use --from shopify --collection coupon-codes, or the CSV file of discounts that the admin exports.';

const MATRIXIFY = 'products from Matrixify, whose rows may be commands';
const ADMIN = `Use --from shopify, or the export of products of the shop's admin. ${ANOTHER_PLATFORM}`;

const PRICE_RULES = "price rules of Shopify's REST API";
const REST_CODES = "codes of Shopify's REST API";

/** What people take from Shopify by mistake, by names that nothing else has. */
export const WRONG_EXPORTS: readonly WrongExport[] = [
  { name: MATRIXIFY, columns: ['Command', 'Body HTML'], instead: ADMIN },
  { name: MATRIXIFY, columns: ['Handle', 'Variant Command'], instead: ADMIN },
  { name: MATRIXIFY, columns: ['Handle', 'Top Row'], instead: ADMIN },
  { name: 'inventory from Shopify', columns: ['Handle', 'Location'] },
  { name: 'orders from Shopify', columns: ['Name', 'Lineitem name'] },
  { name: 'customers from Shopify', columns: ['Email', 'Total Spent', 'Total Orders'] },
  { name: 'gift cards from Shopify', columns: ['Last Characters', 'Initial Balance'] },
  {
    name: "one answer of Shopify's GraphQL API, which may be one page of several",
    members: ['data', 'extensions'],
    instead: BULK,
  },
  { name: PRICE_RULES, members: ['price_rules'], instead: CODES },
  { name: PRICE_RULES, members: ['value_type', 'target_type'], instead: CODES },
  { name: REST_CODES, members: ['price_rule_id', 'code'], instead: CODES },
  { name: REST_CODES, members: ['discount_codes'], instead: CODES },
  { name: 'orders of Shopify', members: ['orders'], instead: BULK },
  { name: 'orders of Shopify', members: ['line_items', 'financial_status'], instead: BULK },
  { name: 'inventory of Shopify', members: ['inventory_item_id', 'location_id'], instead: BULK },
];
