// ISO 4217. Not `Intl.NumberFormat`, which gives the decimals that are in use: none for HUF and IQD, which have two and
// three.
const DECIMALS: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/**
 * Converts a price such as `42.99` to the minor unit of its currency, without rounding errors: 4299 US cents, and 42 yen
 * for `42.00`.
 * @returns undefined if it is not a price, or has more decimals than the currency
 */
export function minorUnits(price: string, currencyCode: string): number | undefined {
  const [, units, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(price) ?? [];
  const count = DECIMALS.find(([, codes]) => codes.split(' ').includes(currencyCode))?.[0] ?? 2;
  if (units === undefined || !/^0*$/.test(decimals.slice(count))) return undefined;
  return Number(units + decimals.slice(0, count).padEnd(count, '0'));
}
