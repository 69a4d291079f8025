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
  ['point', '1200', 'HUF', 1200],
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
])('A price in style %s, %s %s, is %s in the minor unit', (style, price, currency, expected) => {
  const prices = new Prices(currency, style);
  expect([prices.read(price), prices.rounded]).toEqual([expected, 0]);
});

it.each([
  ['8.2645', 'EUR', 826],
  ['8.265', 'EUR', 827],
  ['0.005', 'EUR', 1],
  ['9.9999', 'EUR', 1000],
  ['10.5', 'JPY', 11],
])('%s %s is rounded half up to %s, and counted', (price, currency, expected) => {
  const prices = new Prices(currency, 'plain');
  expect([prices.read(price), prices.rounded]).toEqual([expected, 1]);
});

it.each<['plain' | 'point' | 'comma', string, string]>([
  ['plain', '1,299', ''],
  ['plain', '-1', ''],
  ['plain', '$1', ''],
  ['plain', '€1', ', and --currency is USD'],
  ['plain', '0.004', ', which would become 0'],
  ['plain', 'abc', ''],
  ['point', '33,61', ': use --decimal-comma'],
  ['point', '1.299,00', ': use --decimal-comma'],
  ['comma', '33.61', ': leave out --decimal-comma'],
  ['point', '1.999', ', which may be 1,999 or 1.999: use --decimal-comma if it is 1,999'],
  ['point', '15.255', ', which may be 15,255 or 15.255: use --decimal-comma if it is 15,255'],
  ['point', '2.500', ', which may be 2,500 or 2.50: use --decimal-comma if it is 2,500'],
  ['point', '$12.900', ', which may be 12,900 or 12.90: use --decimal-comma if it is 12,900'],
  ['point', '0.0012', ', which would become 0'],
  ['point', '€5', ', and --currency is USD'],
  ['point', '1,29.00', ''],
  ['point', '1,2345', ': use --decimal-comma'],
  ['point', '1e3', ''],
  ['point', '-5', ''],
  ['point', '$', ''],
])('A price in style %s, %s USD, is none, and it says why', (style, price, why) => {
  const reason = `its price is "${price}"${why}`;
  expect(new Prices('USD', style).read(price)).toEqual({ reason, kind: 'problem' });
});
