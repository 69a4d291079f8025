import type { Obstacle } from './store-product.ts';
import { Failure } from './failure.ts';

/** How prices are written: as plain decimals, or for people, with a point (`1,299.00`) or a comma (`1.299,00`) before the decimals. */
const STYLES = {
  plain: /^(\d+)(?:\.(\d+))?$/,
  point: /^(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+)(?:\.(\d+))?$/,
  comma: /^(\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:\s\d{3})+)(?:,(\d+))?$/,
};

/** Reads the prices of a store, and counts those that had more decimals than the currency. */
export class Prices {
  rounded = 0;
  readonly currency: string;
  readonly #style: keyof typeof STYLES;
  readonly #decimals: number;
  readonly #signs: readonly string[];

  /** @throws Failure if the currency is none */
  constructor(currency: string, style: keyof typeof STYLES) {
    this.currency = currency;
    this.#style = style;
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
  read(price: string): number | Obstacle {
    if (price === '') return { reason: 'it has no price', kind: 'unsupported' };
    const bare = this.#style === 'plain' ? price : this.#withoutSign(price);
    const why = this.#style === 'point' ? this.#twoReadings(bare) : undefined;
    const cents = why === undefined ? this.#cents(bare) : undefined;
    if (cents !== undefined) return cents;
    return { reason: `its price is "${price}"${why ?? this.#problem(bare)}`, kind: 'problem' };
  }

  #cents(bare: string): number | undefined {
    const [, units, decimals = ''] = STYLES[this.#style].exec(bare) ?? [];
    if (units === undefined) return undefined;
    const minor = decimals.slice(0, this.#decimals).padEnd(this.#decimals, '0');
    const rest = decimals.slice(this.#decimals);
    const whole = Number(units.replace(/\D/g, '') + minor);
    const cents = whole + (/^[5-9]/.test(rest) ? 1 : 0);
    const isRounded = /[1-9]/.test(rest);
    if (cents === 0 && isRounded) return undefined;
    if (isRounded) this.rounded++;
    return cents;
  }

  /** Says that a price such as `2.500` may be 2,500 or 2.50: the file may be of a country that writes thousands with a point. */
  #twoReadings(bare: string): string | undefined {
    const [, units, thousandths] = /^([\d,\s]{0,30}\d)\.(\d{3})$/.exec(bare) ?? [];
    if (units === undefined || thousandths === undefined || this.#decimals === 3) return undefined;
    const digits = units.replace(/\D/g, '');
    const many = grouped(`${digits}${thousandths}`);
    const few = `${grouped(digits)}.${thousandths.replace(/0$/, '')}`;
    return `, which may be ${many} or ${few}: use --decimal-comma if it is ${many}`;
  }

  #problem(bare: string): string {
    if (this.#style === 'comma' && STYLES.point.test(bare)) return ': leave out --decimal-comma';
    if (this.#style === 'point' && STYLES.comma.test(bare)) return ': use --decimal-comma';
    if (STYLES.plain.test(bare)) return ', which would become 0';
    const isForeign = /\p{Sc}/u.test(this.#withoutSign(bare));
    return isForeign ? `, and --currency is ${this.currency}` : '';
  }

  /** Removes the sign of the currency, or its code. */
  #withoutSign(price: string): string {
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
