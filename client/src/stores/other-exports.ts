import type { CsvTable } from './csv/csv-table.ts';
import { Failure } from './failure.ts';

/** An export of a store that has neither products nor discount codes. */
interface OtherExport {
  readonly name: string;
  /** The names of columns, of which all are in its header. */
  readonly columns: readonly string[];
}

/** What people export by mistake. */
const OTHERS: readonly OtherExport[] = [
  { name: 'inventory from Shopify', columns: ['Handle', 'Location'] },
  { name: 'orders from Shopify', columns: ['Name', 'Lineitem name'] },
  { name: 'customers from Shopify', columns: ['Email', 'Total Spent', 'Total Orders'] },
  { name: 'gift cards from Shopify', columns: ['Last Characters', 'Initial Balance'] },
  { name: 'WooCommerce Analytics', columns: ['Product title', 'Items sold'] },
  { name: 'WooCommerce Analytics', columns: ['Order #', 'Status', 'Customer'] },
  { name: 'WooCommerce Analytics', columns: ['Product / Variation', 'SKU', 'Stock'] },
  { name: 'WooCommerce Analytics', columns: ['Coupon code', 'Orders', 'Amount discounted'] },
];

/**
 * Refuses an export of a store that has something else.
 * @throws Failure that names it, and what to use instead
 */
export function refuseOtherExports({ header }: CsvTable): void {
  const written = new Set(header.map((name) => name.toLowerCase()));
  const other = OTHERS.find(({ columns }) =>
    columns.every((column) => written.has(column.toLowerCase())),
  );
  if (other === undefined) return;
  throw new Failure(
    `The file is an export of ${other.name}. Use the export of products, or that of discount codes with --collection coupon-codes.`,
  );
}
