import type { CsvNumbers } from '../csv/csv-numbers.ts';
import { percentageIn } from '../csv/csv-numbers.ts';
import type { CsvTable } from '../csv/csv-table.ts';
import type { NamedColumn, NamedRow } from '../csv/named-table.ts';
import { hasColumn, readNamedTable } from '../csv/named-table.ts';
import type { Omission } from '../source.ts';
import type { StoreContent, StoreDiscount } from '../store-product.ts';
import { Values } from '../values.ts';
import { lackingColumns } from './products-csv.ts';
import { isActive, UNSUPPORTED } from './discounts.ts';

const COLUMNS = {
  code: { names: ['Name'], field: 'code', isKey: true },
  value: { names: ['Value'] },
  valueType: { names: ['Value Type'] },
  type: { names: ['Type'] },
  uses: { names: ['Times Used In Total'] },
  limit: { names: ['Usage Limit Per Code'] },
  status: { names: ['Status'] },
  start: { names: ['Start'] },
  end: { names: ['End'] },
} as const satisfies Readonly<Record<string, NamedColumn>>;

type Column = keyof typeof COLUMNS;
type Row = NamedRow<Column>;

/** The columns without which nothing can be read. */
const REQUIRED = ['code', 'value', 'valueType', 'type'] as const;

/** Names that hardly any other file has. */
const DISTINCTIVE = ['Value Type', 'Discount Class', 'Usage Limit Per Code'];

/** Reads an export of discount codes of Shopify, as it is at the time of the call. */
export function readShopifyDiscountsCsv(
  csv: CsvTable,
  numbers: CsvNumbers,
): StoreContent | undefined {
  if (!hasColumn(csv.header, DISTINCTIVE)) return undefined;
  const required = REQUIRED.map((column) => COLUMNS[column]);
  const lacking = required.filter(({ names }) => !hasColumn(csv.header, names));
  if (lacking.length > 0) throw lackingColumns('discount codes', lacking);
  const table = readNamedTable<Column>(csv, COLUMNS);
  const now = new Date();
  return {
    collection: 'coupon-codes',
    discounts: table.rows.map((row) => discountOf(row, now, numbers)),
    matches: ['code'],
    notes: table.notes,
    doubts: table.doubts,
    hasWrittenNumbers: true,
  };
}

function discountOf(row: Row, now: Date, numbers: CsvNumbers): StoreDiscount {
  const values = new Values();
  const code = row.get('code');
  const [uses, limit] = [row.get('uses'), row.get('limit')];
  const noLimit = row.has('limit') ? null : undefined;
  const obstacle = obstacleOf(row);
  const times = { startsAt: isoTimeIn(row, 'start'), endsAt: isoTimeIn(row, 'end') };
  const status = row.has('status') ? row.get('status') : undefined;
  return {
    place: `row ${row.number}`,
    code,
    percent: obstacle ? undefined : percentIn(row, values),
    isActive: isActive({ status, ...times }, now, values),
    currentUses: uses === '' ? undefined : numbers.count('currentUses', uses, values),
    maxUses: limit === '' ? noLimit : numbers.count('maxUses', limit, values),
    leftOut: values.leftOut,
    obstacle,
  };
}

/** Only percentages have a place in the service. */
function obstacleOf(row: Row): Omission | undefined {
  const [type, valueType] = [row.get('type'), row.get('valueType')];
  const spoilt = row.spoilt('code');
  if (spoilt) return spoilt;
  const isAmountOff = type.toLowerCase() === 'amount off';
  if (isAmountOff && valueType.toLowerCase() === 'percentage') return undefined;
  const [what, cell] = isAmountOff ? ['value type', valueType] : ['type', type];
  const reason = UNSUPPORTED.get(cell.toLowerCase());
  return reason === undefined
    ? { reason: `its ${what} is "${cell}"` }
    : { reason, kind: 'unsupported' };
}

/** The percentage, which is written with a minus: `-40.0`. */
function percentIn(row: Row, values: Values): number | undefined {
  const cell = row.get('value');
  return values.read('a percentage', 'discountPercent', cell, percentageIn(cell));
}

/** Returns a time such as `2026-01-01 00:00:00 +0100` in ISO 8601; null if there is none, undefined without the column. */
function isoTimeIn(row: Row, column: Column): string | null | undefined {
  if (!row.has(column)) return undefined;
  const form = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d) ?(?:UTC|Z|([+-]\d\d):?(\d\d))$/;
  const cell = row.get(column);
  const [, day, time, hours = '+00', minutes = '00'] = form.exec(cell) ?? [];
  return day === undefined ? cell || null : `${day}T${time ?? ''}${hours}:${minutes}`;
}
