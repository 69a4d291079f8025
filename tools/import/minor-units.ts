// ISO 4217. Not `Intl.NumberFormat`, which gives the decimals that are in use: none for HUF and IQD, which have two and
// three.
const DECIMALS: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** How an export writes its prices. */
export interface PriceOptions {
  /** The currency of the prices, which the export does not name. */
  readonly currencyCode: string;
  /** Whether `1.299,00` is a price, and `1,299.00` is none. */
  readonly decimalComma?: boolean | undefined;
}

/**
 * Converts a price such as `42.99`, `1,299.00` or `$ 5` to the minor unit of its currency, without rounding errors: 4299 US
 * cents, and 42 yen for `42.00`.
 * @returns undefined if it is not a price, has the sign of another currency, or more decimals than the currency
 */
export function minorUnits(
  price: string,
  { currencyCode, decimalComma }: PriceOptions,
): number | undefined {
  const form = decimalComma
    ? /^(\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:\s\d{3})+)(?:,(\d+))?$/
    : /^(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+)(?:\.(\d+))?$/;
  const [, units, decimals = ''] =
    form.exec(price) ?? form.exec(withoutSign(price, currencyCode)) ?? [];
  const count = DECIMALS.find(([, codes]) => codes.split(' ').includes(currencyCode))?.[0] ?? 2;
  if (units === undefined || !/^0*$/.test(decimals.slice(count))) return undefined;
  return Number(units.replace(/\D/g, '') + decimals.slice(0, count).padEnd(count, '0'));
}

/** Removes the sign of the currency, or its code. */
function withoutSign(price: string, currency: string): string {
  const displays = ['code', 'symbol', 'narrowSymbol'] as const;
  const signs = displays.map((currencyDisplay) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  });
  const sign = signs.find((one) => price.startsWith(one) || price.endsWith(one)) ?? '';
  const [start, end] = price.startsWith(sign) ? [sign.length] : [0, -sign.length];
  return price.slice(start, end).trim();
}

/** Says why a price cannot be imported. */
export function priceProblem(price: string, options: PriceOptions): string {
  const { currencyCode, decimalComma } = options;
  const problem = `its price is "${price}"`;
  if (minorUnits(price, { ...options, decimalComma: !decimalComma }) !== undefined) {
    return `${problem}: ${decimalComma ? 'leave out' : 'use'} --decimal-comma`;
  }
  return /\p{Sc}/u.test(price) ? `${problem}, and --currency is ${currencyCode}` : problem;
}
