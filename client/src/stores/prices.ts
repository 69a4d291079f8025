import { CURRENCIES } from '../../../common/currencies.ts';
import { shortened } from '../../../common/terminal/printable.ts';
import { isShortened } from './csv/spoilt-cells.ts';
import { Failure } from '../../../common/failure.ts';
import type { Notation } from './numbers.ts';
import { digitsIn, LONGEST, normalized, meaningsOf, scaled } from './numbers.ts';
import type { LeftOutField } from './source.ts';

/** How shops write currencies besides their codes and the signs that `Intl` knows, in lower case. */
const WRITTEN_SIGNS: Readonly<Record<string, readonly string[]>> = {
  AED: ['dhs', 'dh'],
  CHF: ['sfr.', 'fr.'],
  CNY: ['元'],
  CZK: ['kč'],
  DKK: ['kr.', 'kr'],
  HUF: ['ft'],
  INR: ['rs.', 'rs'],
  ISK: ['kr.'],
  JPY: ['円'],
  LKR: ['rs.', 'rs'],
  NOK: ['kr.'],
  NPR: ['rs.', 'rs'],
  PKR: ['rs.', 'rs'],
  PLN: ['zł'],
  RON: ['lei'],
  RUB: ['руб.', 'руб', 'р.'],
  SAR: ['sr'],
  SEK: ['kr.'],
  TRY: ['tl'],
  UAH: ['грн.', 'грн'],
  USD: ['us$'],
};

/** Reads the prices of a store, and counts those that had more decimals than the currency. */
export class Prices {
  rounded = 0;
  readonly currency: string;
  readonly #notation: Notation;
  readonly #decimals: number;
  readonly #signs: readonly string[];

  /** @throws Failure if the service does not know the currency */
  constructor(currency: string, notation: Notation) {
    const decimals = CURRENCIES.get(currency);
    if (decimals === undefined) {
      throw new Failure(
        `The currency "${currency}" has no code of ISO 4217, so the service cannot hold prices in it.`,
      );
    }
    this.currency = currency;
    this.#notation = notation;
    this.#decimals = decimals;
    this.#signs = signsOf(currency);
  }

  /**
   * Converts a price such as `42.99`, `1,299.00` or `$ 5` to the minor unit of its currency, without rounding errors: 4299 US
   * cents, and 42 yen for `42.00`. More decimals than the currency has are rounded half up.
   * @returns why that is not possible: there is none, it has the sign of another currency or two meanings, or would become 0
   */
  read(price: string): number | LeftOutField {
    const field = 'priceCents';
    if (price === '') return { field, reason: 'it has no price', kind: 'unsupported' };
    const bare = this.#bare(price);
    const why = this.#ambiguity(bare);
    const cents = why === undefined ? this.#cents(bare) : undefined;
    if (cents !== undefined) return cents;
    const reason = `its price is "${shortened(price, 60)}"${why ?? this.#problem(bare)}`;
    return { field, reason };
  }

  #cents(bare: string): number | undefined {
    const digits = digitsIn(bare, this.#notation);
    if (digits === undefined || digits.isNegative) return undefined;
    const { value, isRounded } = scaled(digits, this.#decimals);
    if (value === 0 && isRounded) return undefined;
    if (isRounded) this.rounded++;
    return value;
  }

  /** Says that a price such as `2.500` may be 2,500 or 2.50: the file may be of a country that writes thousands with a point. */
  #ambiguity(bare: string): string | undefined {
    if (this.#notation !== 'point' || this.#decimals === 3) return undefined;
    const meanings = meaningsOf(bare);
    if (meanings === undefined) return undefined;
    const { many, few } = meanings;
    return `, which may be ${many} or ${few}: use --decimal-comma if it is ${many}`;
  }

  #problem(bare: string): string {
    const isIn = (notation: Notation): boolean => digitsIn(bare, notation) !== undefined;
    const digits = digitsIn(bare, this.#notation);
    if (digits !== undefined)
      return `, which ${digits.isNegative ? 'is negative' : 'would become 0'}`;
    if (isShortened(bare)) return ', to which a spreadsheet has shortened a number';
    if (this.#notation === 'comma' && isIn('point')) return ': leave out --decimal-comma';
    if (this.#notation === 'point' && isIn('comma')) return ': use --decimal-comma';
    const hasOther = bare.length <= LONGEST && hasForeignSign(this.#withoutSigns(bare));
    if (hasOther) return `, and --currency is ${this.currency}`;
    return `, which is not a price such as ${this.#notation === 'comma' ? '1.299,00' : '1299.00'}`;
  }

  /** Returns a price that people wrote as a number: without its sign or code, and without the dash of `299,-`. */
  #bare(price: string): string {
    if (this.#notation === 'plain' || price.length > LONGEST) return price;
    const bare = this.#withoutSigns(normalized(price, this.#notation));
    return bare.replace(/[.,] ?[-–—]{1,2}$/, '');
  }

  /** A price may have a sign and a code: `$12.50 CAD`. */
  #withoutSigns(price: string): string {
    const text = price.toLowerCase();
    const sign = this.#signs.find((one) => text.startsWith(one) || text.endsWith(one));
    if (sign === undefined) return price;
    const [start, end] = text.startsWith(sign) ? [sign.length] : [0, -sign.length];
    return this.#withoutSigns(price.slice(start, end).trim());
  }
}

/** Whether there is a code or a sign of another currency beside a number. */
function hasForeignSign(bare: string): boolean {
  const [text] = /[^\d\s.,'+-][^\d\s,'+-]*/.exec(bare.toLowerCase()) ?? [''];
  return (
    /\p{Sc}/u.test(text) ||
    CURRENCIES.has(text.toUpperCase()) ||
    Object.values(WRITTEN_SIGNS).some((signs) => signs.includes(text))
  );
}

/** Returns the code and the signs of a currency in lower case, first those that begin like others: `us$` before `$`. */
function signsOf(currency: string): string[] {
  const displays = ['code', 'symbol', 'narrowSymbol'] as const;
  const signs = displays.map((currencyDisplay) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  });
  const all = [...signs.map((sign) => sign.toLowerCase()), ...(WRITTEN_SIGNS[currency] ?? [])];
  return all.sort((a, b) => b.length - a.length);
}
