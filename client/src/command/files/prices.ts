import { Problem } from './candidates.ts';
import { FileError } from './file-error.ts';

/** How an export writes its prices. */
export interface PriceOptions {
  /** The currency of the prices, which the export does not name. */
  readonly currency: string;
  /** Whether `1.299,00` is a price, and `1,299.00` is none. */
  readonly decimalComma: boolean;
}

/** Reads the prices of an export. */
export class Prices {
  readonly #options: PriceOptions;
  readonly #decimals: number;
  readonly #signs: readonly string[];

  /** @throws FileError if the currency is none */
  constructor(options: PriceOptions) {
    const { currency } = options;
    this.#options = options;
    try {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency });
      this.#decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
      this.#signs = signsOf(currency);
    } catch (cause) {
      throw new FileError(`"${currency}" is not a currency code such as EUR.`, { cause });
    }
  }

  /**
   * Converts a price such as `42.99`, `1,299.00` or `$ 5` to the minor unit of its currency, without rounding errors: 4299 US
   * cents, and 42 yen for `42.00`.
   * @returns undefined if it is not a price, has the sign of another currency, or more decimals than the currency
   */
  cents(price: string): number | undefined {
    return this.#read(price, this.#options.decimalComma);
  }

  /**
   * Converts a price like `cents`.
   * @throws Problem if that is not possible
   */
  required(price: string): number {
    const cents = this.cents(price);
    if (cents === undefined) throw new Problem(this.#problem(price));
    return cents;
  }

  /** Says why a price cannot be read. */
  #problem(price: string): string {
    if (price === '') return 'it has no price';
    const { currency, decimalComma } = this.#options;
    const problem = `its price is "${price}"`;
    // `15.255` may be 15,255, or have too many decimals.
    if (/^\d{1,3}[.,]\d{3}$/.test(price)) {
      return `${problem}: if that is a number of thousands, ${decimalComma ? 'leave out' : 'use'} --decimal-comma`;
    }
    if (this.#read(price, !decimalComma) !== undefined) {
      return `${problem}: ${decimalComma ? 'leave out' : 'use'} --decimal-comma`;
    }
    return /\p{Sc}/u.test(price) ? `${problem}, and --currency is ${currency}` : problem;
  }

  #read(price: string, decimalComma: boolean): number | undefined {
    const form = decimalComma
      ? /^(\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:\s\d{3})+)(?:,(\d+))?$/
      : /^(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+)(?:\.(\d+))?$/;
    const [, units, decimals = ''] = form.exec(price) ?? form.exec(this.#withoutSign(price)) ?? [];
    if (units === undefined || !/^0*$/.test(decimals.slice(this.#decimals))) return undefined;
    const minor = decimals.slice(0, this.#decimals).padEnd(this.#decimals, '0');
    return Number(units.replace(/\D/g, '') + minor);
  }

  /** Removes the sign of the currency, or its code. */
  #withoutSign(price: string): string {
    const sign = this.#signs.find((one) => price.startsWith(one) || price.endsWith(one)) ?? '';
    const [start, end] = price.startsWith(sign) ? [sign.length] : [0, -sign.length];
    return price.slice(start, end).trim();
  }
}

function signsOf(currency: string): string[] {
  const displays = ['code', 'symbol', 'narrowSymbol'] as const;
  return displays.map((currencyDisplay) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  });
}
