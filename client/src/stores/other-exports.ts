import type { CsvTable } from './csv/csv-table.ts';
import { Failure } from './failure.ts';
import { STORES } from './stores.ts';

/**
 * Refuses an export of a store that has something else.
 * @throws Failure that names it, and what to use instead
 */
export function refuseOtherExports({ header }: CsvTable): void {
  const written = new Set(header.map((name) => name.toLowerCase()));
  const other = STORES.flatMap(({ files }) => files?.otherExports ?? []).find(({ columns }) =>
    columns.every((column) => written.has(column.toLowerCase())),
  );
  if (other === undefined) return;
  throw new Failure(
    `The file is an export of ${other.name}. Use the export of products, or that of discount codes with --collection coupon-codes.`,
  );
}
