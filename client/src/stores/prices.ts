import type { Obstacle } from './store-product.ts';
import { Failure } from './failure.ts';

/** How a store writes its prices. */
export interface PriceOptions {
  readonly currency: string;
  /** Whether they are written for people. Otherwise a point stands before the decimals, and nothing else. */
  readonly isWritten: boolean;
  /** Whether `1.299,00` is a price, and `1,299.00` is none. */
  readonly decimalComma: boolean;
}

const POINT = /^(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+)(?:\.(\d+))?$/;
const COMMA = /^(\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:\s\d{3})+)(?:,(\d+))?$/;
const PLAIN = /^(\d+)(?:\.(\d+))?$/;

/** A price in the minor unit of its currency. */
export interface Price {
  readonly cents: number;
  /** Whether it had more decimals than the currency. */
  readonly isRounded: boolean;
}

export class Prices {
  readonly #options: PriceOptions;
  readonly currency: string;
  readonly #decimals: number;
  readonly #signs: readonly string[];

  /** @throws Failure if the currency is none */
  constructor(options: PriceOptions) {
    const { currency } = options;
    this.#options = options;
    this.currency = currency;
    try {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency });
      this.#decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
      this.#signs = signsOf(currency);
    } catch (cause) {
      throw new Failure(`"${currency}" is not a currency code such as EUR.`, { cause });
    }
  }

  /**
   * Converts a price such as `42.99`, `1,299.00` or `$ 5` to the minor unit of its currency, without rounding errors: 4299 US
   * cents, and 42 yen for `42.00`. More decimals than the currency has are rounded half up.
   * @returns why that is not possible: there is none, it has the sign of another currency or two readings, or would become 0
   */
  read(price: string): Price | Obstacle {
    const { isWritten, decimalComma } = this.#options;
    if (price === '') return { reason: 'it has no price', kind: 'unsupported' };
    if (!isWritten) return this.#cents(price, PLAIN) ?? this.#problem(price);
    if (!decimalComma) {
      const readings = this.#readings(price);
      if (readings !== undefined) return { reason: readings, kind: 'problem' };
    }
    return this.#cents(this.#bare(price), decimalComma ? COMMA : POINT) ?? this.#problem(price);
  }

  #cents(price: string, form: RegExp): Price | undefined {
    const [, units, decimals = ''] = form.exec(price) ?? [];
    if (units === undefined) return undefined;
    const minor = decimals.slice(0, this.#decimals).padEnd(this.#decimals, '0');
    const rest = decimals.slice(this.#decimals);
    const whole = Number(units.replace(/\D/g, '') + minor);
    const cents = whole + (/^[5-9]/.test(rest) ? 1 : 0);
    if (cents === 0 && /[1-9]/.test(rest)) return undefined;
    return { cents, isRounded: /[1-9]/.test(rest) };
  }

  /** Says that a price such as `2.500` may be 2,500 or 2.50: the file may be of a country that writes thousands with a point. */
  #readings(price: string): string | undefined {
    const [, units, thousandths] = /^([\d,\s]{0,30}\d)\.(\d{3})$/.exec(this.#bare(price)) ?? [];
    if (units === undefined || thousandths === undefined || this.#decimals === 3) return undefined;
    const digits = units.replace(/\D/g, '');
    const many = grouped(`${digits}${thousandths}`);
    const few = `${grouped(digits)}.${thousandths.replace(/0$/, '')}`;
    return `its price is "${price}", which may be ${many} or ${few}: use --decimal-comma if it is ${many}`;
  }

  /** Says why a price cannot be read. */
  #problem(price: string): Obstacle {
    const { currency, decimalComma, isWritten } = this.#options;
    const said = `its price is "${price}"`;
    const bare = this.#bare(price);
    const reason =
      isWritten && this.#cents(bare, decimalComma ? POINT : COMMA) !== undefined
        ? `${said}: ${decimalComma ? 'leave out' : 'use'} --decimal-comma`
        : PLAIN.test(bare)
          ? `${said}, which would become 0`
          : /\p{Sc}/u.test(price)
            ? `${said}, and --currency is ${currency}`
            : said;
    return { reason, kind: 'problem' };
  }

  /** Removes the sign of the currency, or its code. */
  #bare(price: string): string {
    const sign = this.#signs.find((one) => price.startsWith(one) || price.endsWith(one)) ?? '';
    const [start, end] = price.startsWith(sign) ? [sign.length] : [0, -sign.length];
    return price.slice(start, end).trim();
  }
}

/** `2500` is `2,500`. */
function grouped(digits: string): string {
  return BigInt(digits).toLocaleString('en');
}

function signsOf(currency: string): string[] {
  const displays = ['code', 'symbol', 'narrowSymbol'] as const;
  return displays.map((currencyDisplay) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  });
}
