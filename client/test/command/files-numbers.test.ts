import fc from 'fast-check';
import { expect, it } from 'vitest';
import { random } from '../../../test/support/random.ts';
import type { ReadOptions } from '../../src/stores/source.ts';
import { readText as read } from './read-text.ts';

// A number of a CSV is what it is, or is left out with a reason. It is never another one.

const inCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Returns the item of a product of Shopify, and the reasons for what is left out. */
function readProduct(
  cells: { readonly price?: string; readonly stock?: string },
  options: Partial<ReadOptions> = {},
): readonly [Readonly<Record<string, unknown>>, readonly string[]] {
  const { items, skipped } = read(
    `Handle,Title,Variant Price,Variant Inventory Tracker,Variant Inventory Qty\na,A,${inCell(cells.price ?? '1')},shopify,${inCell(cells.stock ?? '1')}\n`,
    options,
  );
  return [items[0] ?? {}, skipped.map(({ reason }) => reason)];
}

/** The same of a product of WooCommerce. */
function readOfWooCommerce(
  stock: string,
  options: Partial<ReadOptions> = {},
): readonly [Readonly<Record<string, unknown>>, readonly string[]] {
  const { items, skipped } = read(
    `ID,Type,Name,Stock,Regular price\n1,simple,A,${inCell(stock)},1\n`,
    options,
  );
  return [items[0] ?? {}, skipped.map(({ reason }) => reason)];
}

/** The same of a discount code. */
function readCode(
  cells: { readonly value?: string; readonly limit?: string; readonly uses?: string },
  options: Partial<ReadOptions> = {},
): readonly [Readonly<Record<string, unknown>>, readonly string[], readonly string[]] {
  const { items, skipped, notes } = read(
    `Name,Value,Value Type,Type,Times Used In Total,Usage Limit Per Code,Status\nA,${inCell(cells.value ?? '-5.0')},percentage,Amount Off,${inCell(cells.uses ?? '0')},${inCell(cells.limit ?? '')},Active\n`,
    { collection: 'coupon-codes', ...options },
  );
  return [items[0] ?? {}, skipped.map(({ reason }) => reason), notes];
}

const COMMA = { decimalComma: true };

it.each<[string, Partial<ReadOptions>, number]>([
  ['4', {}, 4],
  ['-3', {}, -3],
  ['−3', {}, -3],
  ['2.5', {}, 2],
  ['-0.5', {}, -1],
  ['1,204', {}, 1204],
  ['1 204', {}, 1204],
  ['12,34,567', {}, 1_234_567],
  ['4,0', COMMA, 4],
  ['2.5', COMMA, 2],
  ['1.204,5', COMMA, 1204],
  ['1.204.567', COMMA, 1_204_567],
])('A stock is read as its country writes it: %s with %o is %s', (stock, options, expected) => {
  expect(readProduct({ stock }, options)).toMatchObject([{ storeInventoryQuantity: expected }, []]);
  expect(readOfWooCommerce(stock, options)).toMatchObject([
    { storeInventoryQuantity: expected },
    [],
  ]);
});

it.each<[string, Partial<ReadOptions>, string]>([
  ['1.204', {}, ', which may be 1,204 or 1.204: write it without a point'],
  ['1.204', COMMA, ', which may be 1,204 or 1.204: write it without a point'],
  ['2.000', {}, ', which may be 2,000 or 2.00: write it without a point'],
  ['12,5', {}, ', which is not a number: use --decimal-comma'],
  ['many', {}, ', which is not a number'],
])('A stock that is unclear or none is left out: %s with %o', (stock, options, why) => {
  const reason = `storeInventoryQuantity: it is "${stock}"${why}`;
  const [item, reasons] = readProduct({ stock }, options);
  expect([item, reasons]).toEqual([
    expect.not.objectContaining({ storeInventoryQuantity: 1 }),
    [reason],
  ]);
  expect(Object.keys(item)).not.toContain('storeInventoryQuantity');
  expect(readOfWooCommerce(stock, options)[1]).toEqual([reason]);
});

it('A stock that variations share is left out of each of them, once', () => {
  const { skipped } = read(
    'ID,Type,SKU,Name,Stock,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)\n1,variable,P,Tee,1.204,,,Size,"S, M"\n2,variation,,Tee - S,,5,id:1,Size,S\n3,variation,,Tee - M,7,5,id:1,Size,M\n',
    {},
  );
  const reason =
    'storeInventoryQuantity: it is "1.204", which may be 1,204 or 1.204: write it without a point';
  expect(skipped).toEqual([{ key: '2', field: 'storeInventoryQuantity', reason, kind: 'problem' }]);
});

it.each<[string, Partial<ReadOptions>, number]>([
  ['2000', {}, 2000],
  ['2,000', {}, 2000],
  ['12.0', {}, 12],
  ['12,0', COMMA, 12],
])('A limit is read as its country writes it: %s with %o is %s', (limit, options, expected) => {
  expect(readCode({ limit, uses: limit }, options)).toMatchObject([
    { maxUses: expected, currentUses: expected },
    [],
    [],
  ]);
});

it.each<[string, Partial<ReadOptions>, string]>([
  ['2.000', {}, ', which may be 2,000 or 2.00: write it without a point'],
  ['2.000', COMMA, ', which may be 2,000 or 2.00: write it without a point'],
  ['2.5', {}, ', which is not a whole number'],
  ['2,5', COMMA, ', which is not a whole number'],
])('A limit that is unclear or none is left out: %s with %o', (limit, options, why) => {
  expect(readCode({ limit }, options)[1]).toEqual([`maxUses: it is "${limit}"${why}`]);
  expect(readCode({ uses: limit }, options)[1]).toEqual([`currentUses: it is "${limit}"${why}`]);
});

it.each<[string, Partial<ReadOptions>, number]>([
  ['-12.5', {}, 12.5],
  ['-12,5', {}, 12.5],
  ['-12,5', COMMA, 12.5],
  ['-12.5', COMMA, 12.5],
  ['-12.500', COMMA, 12.5],
  ['100%', {}, 100],
])(
  'A percentage is read as its country writes it: %s with %o is %s',
  (value, options, expected) => {
    expect(readCode({ value }, options)).toMatchObject([{ discountPercent: expected }, [], []]);
  },
);

it('A percentage of more decimals is rounded half up, with a note', () => {
  const note = ['1 percentage was rounded to two decimals.'];
  expect(readCode({ value: '-33.335' })).toMatchObject([{ discountPercent: 33.34 }, [], note]);
  expect(readCode({ value: '33,333' })).toMatchObject([{ discountPercent: 33.33 }, [], note]);
});

it.each(['101', '-', '1.2.3', 'half'])('A percentage that is none is left out: %s', (value) => {
  expect(readCode({ value })[1]).toEqual([
    `discountPercent: it is "${value}", which is not a percentage`,
  ]);
});

/** Countries that write numbers in different ways, and whether the comma stands before their decimals. */
const COUNTRIES = {
  'en-US': false,
  'en-IN': false,
  'ja-JP': false,
  'de-CH': false,
  'he-IL': false,
  'ar-EG': false,
  'fa-IR': false,
  'de-DE': true,
  'fr-FR': true,
  'es-ES': true,
  'pt-BR': true,
  'pl-PL': true,
  'sv-SE': true,
  'ru-RU': true,
  'tr-TR': true,
} as const;

const COUNTRY = fc.constantFrom(...Object.entries(COUNTRIES));
const FORMS = fc.record({
  useGrouping: fc.boolean(),
  places: fc.integer({ min: 0, max: 5 }),
  shown: fc.constantFrom<Intl.NumberFormatOptions['currencyDisplay']>(
    undefined,
    'code',
    'symbol',
    'narrowSymbol',
  ),
});

/** Returns the integer that is `digits / 10 ** places * 10 ** decimals`, rounded half up. */
function expectedInteger(digits: number, places: number, decimals: number): number {
  const [scale, divisor] = [10n ** BigInt(decimals), 10n ** BigInt(places)];
  return Number((2n * BigInt(digits) * scale + divisor) / (2n * divisor));
}

const parameters = random(400);
const { numRuns } = parameters;

it('A price, as any of these countries writes it, is what it is or is left out with a reason', () => {
  let taken = 0;
  const currencies = fc.constantFrom('USD', 'EUR', 'HUF', 'JPY', 'KWD', 'SEK', 'INR', 'CHF');
  const otherDecimals = new Map([
    ['JPY', 0],
    ['KWD', 3],
  ]);
  fc.assert(
    fc.property(
      COUNTRY,
      currencies,
      fc.integer({ min: 0, max: 1e10 }),
      FORMS,
      ([locale, decimalComma], currency, digits, { places, useGrouping, shown }) => {
        const price = (digits / 10 ** places).toLocaleString(locale, {
          minimumFractionDigits: places,
          maximumFractionDigits: places,
          useGrouping,
          ...(shown && { style: 'currency', currency, currencyDisplay: shown }),
        });
        const [item, reasons] = readProduct({ price }, { decimalComma, currency });
        const decimals = otherDecimals.get(currency) ?? 2;
        if (item['priceCents'] === undefined)
          expect([price, reasons]).toEqual([price, [expect.stringContaining('its price is')]]);
        else {
          expect([price, item['priceCents']]).toEqual([
            price,
            expectedInteger(digits, places, decimals),
          ]);
          taken++;
        }
      },
    ),
    parameters,
  );
  expect(taken).toBeGreaterThan(numRuns / 2);
});

it('A stock, as any of these countries writes it, is what it is or is left out with a reason', () => {
  let taken = 0;
  fc.assert(
    fc.property(
      COUNTRY,
      fc.integer({ min: -1e9, max: 1e9 }),
      FORMS,
      ([locale, decimalComma], digits, { places, useGrouping }) => {
        const number = digits / 10 ** places;
        const stock = number.toLocaleString(locale, {
          maximumFractionDigits: places,
          useGrouping,
        });
        for (const [item, reasons] of [
          readProduct({ stock }, { decimalComma }),
          readOfWooCommerce(stock, { decimalComma }),
        ]) {
          const found = item['storeInventoryQuantity'];
          if (found === undefined)
            expect([stock, reasons]).toEqual([stock, [expect.stringContaining(', which ')]]);
          else {
            expect([stock, found]).toEqual([stock, Math.floor(number)]);
            taken++;
          }
        }
      },
    ),
    parameters,
  );
  expect(taken).toBeGreaterThan(numRuns);
});

it('A limit and a percentage, as any of these countries writes them, are what they are or are left out with a reason', () => {
  let taken = 0;
  fc.assert(
    fc.property(
      COUNTRY,
      fc.integer({ min: 1, max: 1e7 }),
      FORMS,
      ([locale, decimalComma], digits, { places, useGrouping }) => {
        const percentage = digits / 10 ** Math.max(5, places);
        const written = (number: number): string =>
          number.toLocaleString(locale, { maximumFractionDigits: 5, useGrouping });
        const [item, reasons] = readCode(
          { limit: written(digits), value: written(percentage) },
          { decimalComma },
        );
        const { maxUses, discountPercent } = item;
        for (const [found, expected] of [
          [maxUses, digits],
          [discountPercent, expectedInteger(digits, Math.max(5, places), 2) / 100],
        ]) {
          if (found === undefined)
            expect([digits, reasons]).toEqual([
              digits,
              expect.arrayContaining([expect.stringContaining(', which ')]),
            ]);
          else {
            expect([written(digits), found]).toEqual([written(digits), expected]);
            taken++;
          }
        }
      },
    ),
    parameters,
  );
  expect(taken).toBeGreaterThan(numRuns);
});
