import type { CsvTable } from '../csv/csv-table.ts';
import type { NamedColumn, NamedRow, NamedTable } from '../csv/named-table.ts';
import { hasColumn, readNamedTable } from '../csv/named-table.ts';
import type { Texts } from '../csv/texts.ts';
import { quantityIn } from '../quantities.ts';
import type { Obstacle, StoreContent, StoreDiscount } from '../store-product.ts';
import { Failure } from '../failure.ts';

const COLUMNS = {
  code: { names: ['Name'] },
  value: { names: ['Value'] },
  valueType: { names: ['Value Type'] },
  type: { names: ['Type'] },
  discountClass: { names: ['Discount Class'] },
  uses: { names: ['Times Used In Total'] },
  limit: { names: ['Usage Limit Per Code'] },
  status: { names: ['Status'] },
  start: { names: ['Start'] },
  end: { names: ['End'] },
} as const satisfies Readonly<Record<string, NamedColumn>>;

type Column = keyof typeof COLUMNS;
type Row = NamedRow<Column>;
type Table = NamedTable<Column>;

/** The columns without which nothing can be read. */
const REQUIRED = ['code', 'value', 'valueType', 'type'] as const;

/** Names that hardly any other file has. */
const DISTINCTIVE: NamedColumn = {
  names: ['Value Type', 'Discount Class', 'Usage Limit Per Code'],
};

/**
 * Reads an export of discount codes of Shopify, as it is at the time of the call.
 * @returns undefined if the table is no such export
 * @throws Failure if it lacks a column
 */
export function readShopifyDiscountsCsv(csv: CsvTable, texts: Texts): StoreContent | undefined {
  if (!hasColumn(csv.header, DISTINCTIVE)) return undefined;
  const missing = REQUIRED.filter((column) => !hasColumn(csv.header, COLUMNS[column]));
  if (missing.length > 0) {
    const names = missing.map((column) => `"${COLUMNS[column].names[0]}"`);
    throw new Failure(
      `The file looks like an export of discount codes from Shopify, but has no column ${names.join(' and ')}. Export the codes again, with all columns.`,
    );
  }
  const table = readNamedTable<Column>(csv, COLUMNS, texts);
  const now = new Date();
  return {
    collection: 'coupon-codes',
    format: 'shopify',
    products: [],
    discounts: table.rows.map((row) => discountOf(row, table, now)),
    matches: ['code'],
    removedCharacters: texts.removed,
    doubts: [],
    notes: [],
  };
}

function discountOf(row: Row, table: Table, now: Date): StoreDiscount {
  const uses = numberIn(row, 'uses');
  const limit = numberIn(row, 'limit');
  const isActive = activityOf(row, table, now);
  return {
    place: `row ${row.number}`,
    code: row.get('code'),
    percent: percentIn(row),
    isActive: typeof isActive === 'object' ? undefined : isActive,
    currentUses: typeof uses === 'object' ? undefined : uses,
    maxUses:
      typeof limit === 'object' ? undefined : (limit ?? (table.has('limit') ? null : undefined)),
    obstacle: kindProblem(row) ?? [uses, limit, isActive].find((one) => typeof one === 'object'),
  };
}

/** The types that have no place in the service. */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['buy x get y', 'it is Buy X Get Y'],
  ['free shipping', 'it is free shipping'],
]);

/** Only percentages have a place in the service. */
function kindProblem(row: Row): Obstacle | undefined {
  const type = row.get('type');
  if (type.toLowerCase() !== 'amount off') {
    const reason = UNSUPPORTED.get(type.toLowerCase());
    return reason === undefined
      ? { reason: `its type is "${type}"`, kind: 'problem' }
      : { reason, kind: 'unsupported' };
  }
  const valueType = row.get('valueType').toLowerCase();
  if (valueType === 'fixed_amount') return { reason: 'it is a fixed amount', kind: 'unsupported' };
  if (valueType !== 'percentage') {
    return { reason: `its value type is "${row.get('valueType')}"`, kind: 'problem' };
  }
  const value = row.get('value');
  return percentIn(row) === undefined
    ? { reason: `its value is "${value}"`, kind: 'problem' }
    : undefined;
}

/** The percentage, which is written with a minus: `-40.0`. */
function percentIn(row: Row): number | undefined {
  const [, digits] = /^-?(\d{1,3}(?:\.\d{1,10})?)%?$/.exec(row.get('value')) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** A whole number; undefined for an empty cell. */
function numberIn(row: Row, column: Column): number | undefined | Obstacle {
  const cell = row.get(column);
  if (cell === '') return undefined;
  return (
    quantityIn(cell) ?? {
      reason: `its column "${COLUMNS[column].names[0]}" has "${cell}"`,
      kind: 'problem',
    }
  );
}

const STATUSES: readonly string[] = ['active', 'scheduled', 'expired'];

/** Whether the code is good now: by its status, and by its times, because a file may be some hours old. */
function activityOf(row: Row, table: Table, now: Date): boolean | undefined | Obstacle {
  const [start, end] = [timeIn(row.get('start')), timeIn(row.get('end'))];
  if (start === null || end === null) {
    const cell = row.get(start === null ? 'start' : 'end');
    return { reason: `its time is "${cell}"`, kind: 'problem' };
  }
  const isInTime = (start === undefined || start <= now) && (end === undefined || now < end);
  if (!table.has('status')) return table.has('start') ? isInTime : undefined;
  const status = row.get('status').toLowerCase();
  if (!STATUSES.includes(status)) {
    return { reason: `its status is "${row.get('status')}"`, kind: 'problem' };
  }
  return status !== 'expired' && isInTime && (status === 'active' || start !== undefined);
}

/** A time such as `2026-01-01 00:00:00 +0100`; undefined for an empty cell, null for another text. */
function timeIn(cell: string): Date | undefined | null {
  if (cell === '') return undefined;
  const form = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d) ?(?:UTC|Z|([+-]\d\d):?(\d\d))$/;
  const [, day, time, hours = '+00', minutes = '00'] = form.exec(cell) ?? [];
  const date = new Date(`${day ?? ''}T${time ?? ''}${hours}:${minutes}`);
  return Number.isNaN(date.getTime()) ? null : date;
}
