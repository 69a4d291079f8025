import { expect, it } from 'vitest';
import { Prices } from '../../src/stores/prices.ts';

it.each<['plain' | 'point' | 'comma', string, string, number]>([
  ['plain', '8.5', 'USD', 850],
  ['plain', '1234.5', 'EUR', 123_450],
  ['plain', '0', 'USD', 0],
  ['plain', '2.500', 'USD', 250],
  ['plain', '2.505', 'KWD', 2505],
  ['plain', '900', 'JPY', 900],
  ['point', '42.9', 'USD', 4290],
  ['point', '1200', 'JPY', 1200],
  ['point', '1200.00', 'JPY', 1200],
  ['point', '1.234', 'KWD', 1234],
  ['point', '1.2340', 'KWD', 1234],
  ['point', '1200', 'HUF', 120_000],
  ['point', '1299.50', 'IDR', 129_950],
  ['point', '1299', 'IQD', 1_299_000],
  ['point', '5', 'XAU', 500],
  ['point', '1,00,000.00', 'INR', 10_000_000],
  ['point', "1'299.00", 'CHF', 129_900],
  ['point', '1’299.00', 'CHF', 129_900],
  ['point', '.99', 'USD', 99],
  ['point', '12.', 'USD', 1200],
  ['point', '+12.00', 'USD', 1200],
  ['point', 'Rs. 1,299.00', 'INR', 129_900],
  ['point', '$12.50 CAD', 'CAD', 1250],
  ['point', 'US$ 12.50', 'USD', 1250],
  ['point', '1 299 руб.', 'RUB', 129_900],
  ['point', '299,-', 'SEK', 29_900],
  ['point', '１２００', 'JPY', 1200],
  ['point', '١٢٫٥٠', 'EGP', 1250],
  ['comma', 'kr. 299,00', 'DKK', 29_900],
  ['comma', '12,50 TL', 'TRY', 1250],
  ['comma', "1'299,50", 'EUR', 129_950],
  ['point', '1,299', 'USD', 129_900],
  ['point', '1,299.00', 'USD', 129_900],
  ['point', '1 299.00', 'USD', 129_900],
  ['point', '1\u00a0234\u202f567', 'EUR', 123_456_700],
  ['point', '$1,299', 'USD', 129_900],
  ['point', '1299 €', 'EUR', 129_900],
  ['point', 'CA$ 5', 'CAD', 500],
  ['point', '5.00 kr', 'SEK', 500],
  ['point', 'EUR5', 'EUR', 500],
  ['comma', '33,61', 'EUR', 3361],
  ['comma', '1.299,00', 'EUR', 129_900],
  ['comma', '€ 1 299,5', 'EUR', 129_950],
  ['comma', '1299', 'EUR', 129_900],
])(
  'A price is converted into the minor unit of its currency: style %s, %s %s, is %s',
  (style, price, currency, expected) => {
    const prices = new Prices(currency, style);
    expect([prices.read(price), prices.rounded]).toEqual([expected, 0]);
  },
);

it.each('AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'.split(' '))(
  'A price has two decimals in some currencies, whatever Intl says: %s',
  (currency) => {
    expect(new Prices(currency, 'plain').read('1299.5')).toBe(129_950);
  },
);

it('A currency without a code of ISO 4217 is an error before any price is read', () => {
  expect(() => new Prices('IRT', 'plain')).toThrow('"IRT" has no code of ISO 4217');
});

it.each([
  ['8.2645', 'EUR', 826],
  ['8.265', 'EUR', 827],
  ['0.005', 'EUR', 1],
  ['9.9999', 'EUR', 1000],
  ['10.5', 'JPY', 11],
])(
  'A price of more decimals is rounded half up, and counted: %s %s is %s',
  (price, currency, expected) => {
    const prices = new Prices(currency, 'plain');
    expect([prices.read(price), prices.rounded]).toEqual([expected, 1]);
  },
);

it.each<['plain' | 'point' | 'comma', string, string]>([
  ['plain', '1,299', ', which is not a price such as 1299.00'],
  ['plain', '-1', ', which is negative'],
  ['plain', '$1', ', which is not a price such as 1299.00'],
  ['plain', '€1', ', and --currency is USD'],
  ['plain', '0.004', ', which would become 0'],
  ['plain', 'abc', ', which is not a price such as 1299.00'],
  ['point', '33,61', ': use --decimal-comma'],
  ['point', '1.299,00', ': use --decimal-comma'],
  ['comma', '33.61', ': leave out --decimal-comma'],
  ['point', '1.999', ', which may be 1,999 or 1.999: use --decimal-comma if it is 1,999'],
  ['point', '15.255', ', which may be 15,255 or 15.255: use --decimal-comma if it is 15,255'],
  ['point', '2.500', ', which may be 2,500 or 2.50: use --decimal-comma if it is 2,500'],
  ['point', '$12.900', ', which may be 12,900 or 12.90: use --decimal-comma if it is 12,900'],
  ['point', '0.0012', ', which would become 0'],
  ['point', '€5', ', and --currency is USD'],
  ['point', '1,29.00', ', which is not a price such as 1299.00'],
  ['point', '1,2345', ': use --decimal-comma'],
  ['point', '1e3', ', which is not a price such as 1299.00'],
  ['point', '1.2E+3', ', to which a spreadsheet has shortened a number'],
  ['point', '-5', ', which is negative'],
  ['point', '$', ', which is not a price such as 1299.00'],
  ['point', '$12.00 CAD', ', and --currency is USD'],
  ['point', 'Rs. 5', ', and --currency is USD'],
  ['point', '299 kr', ', and --currency is USD'],
  ['point', '5 zł', ', and --currency is USD'],
  ['point', '12.00 - 15.00', ', which is not a price such as 1299.00'],
  ['point', '12. Mai', ', which is not a price such as 1299.00'],
  ['point', '12%', ', which is not a price such as 1299.00'],
  ['comma', 'abc', ', which is not a price such as 1.299,00'],
])('A price that is unclear or none says why it is none: style %s, %s USD', (style, price, why) => {
  const reason = `its price is "${price}"${why}`;
  expect(new Prices('USD', style).read(price)).toEqual({ field: 'priceCents', reason });
});
