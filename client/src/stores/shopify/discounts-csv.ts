import type { CsvTable } from '../csv/csv-table.ts';
import type { NamedColumn, NamedRow } from '../csv/named-table.ts';
import { hasColumn, readNamedTable } from '../csv/named-table.ts';
import { isShortened, shortenedIn } from '../csv/shortened.ts';
import type { Texts } from '../csv/texts.ts';
import type { Obstacle, StoreContent, StoreDiscount } from '../store-product.ts';
import { notA, Values } from '../values.ts';
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
    products: [],
    discounts: table.rows.map((row) => discountOf(row, now)),
    matches: ['code'],
    doubts: [],
    notes: [],
  };
}

function discountOf(row: Row, now: Date): StoreDiscount {
  const values = new Values();
  const limit = row.get('limit');
  const isUnlimited = limit === '' && row.has('limit');
  const code = row.get('code');
  const isCode = !isShortened(code);
  const obstacle = isCode
    ? kindProblem(row)
    : ({ reason: `code: ${shortenedIn('code', code).reason}`, kind: 'problem' } as const);
  return {
    place: `row ${row.number}`,
    code: isCode ? code : '',
    percent: obstacle ? undefined : percentIn(row, values),
    isActive: activityOf(row, now, values),
    currentUses: values.quantity('currentUses', row.get('uses') || undefined),
    maxUses: isUnlimited ? null : values.quantity('maxUses', limit || undefined),
    leftOut: values.leftOut,
    obstacle,
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
  return undefined;
}

/** The percentage, which is written with a minus: `-40.0`. */
function percentIn(row: Row, values: Values): number | undefined {
  const cell = row.get('value');
  const [, digits] = /^-?(\d{1,3}(?:\.\d{1,10})?)%?$/.exec(cell) ?? [];
  if (digits === undefined) values.leaveOut(notA('a percentage', 'discountPercent', cell));
  return digits === undefined ? undefined : Number(digits);
}

const DISCOUNT_STATUSES: ReadonlyMap<string, string> = new Map(
  ['active', 'scheduled', 'expired'].map((status) => [status, status]),
);

/** Whether the code is good now: by its status, and by its times, because a file may be some hours old. */
function activityOf(row: Row, now: Date, values: Values): boolean | undefined {
  const [start, end] = [timeIn(row.get('start')), timeIn(row.get('end'))];
  if (start === null || end === null) {
    const cell = row.get(start === null ? 'start' : 'end');
    values.leaveOut(notA('a time', 'active', cell));
    return undefined;
  }
  const isInTime = (start === undefined || start <= now) && (end === undefined || now < end);
  if (!row.has('status')) return row.has('start') ? isInTime : undefined;
  const status = values.word('active', row.get('status'), DISCOUNT_STATUSES);
  if (status === undefined) return undefined;
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
