import { digitsIn, normalized, meaningsOf } from '../numbers.ts';
import type { Values } from '../values.ts';
import { notA } from '../values.ts';

/** Reads the numbers of a CSV that are no prices. They are written in one way in all columns. */
export class CsvNumbers {
  readonly #hasDecimalComma: boolean;

  constructor(hasDecimalComma: boolean) {
    this.#hasDecimalComma = hasDecimalComma;
  }

  /**
   * A stock, which may have parts and a minus sign. Stores write it without the marks of their prices, so `2.5` has a part with a
   * decimal comma too, and `1.204` may be a thousand of them with a decimal point too.
   */
  quantity(field: string, cell: string, values: Values): number | undefined {
    const text = normalized(cell, this.#hasDecimalComma ? 'comma' : 'point');
    const meanings = meaningsOf(text);
    if (meanings !== undefined) {
      const { many, few } = meanings;
      const reason = `it is "${cell}", which may be ${many} or ${few}: write it without a point`;
      values.leaveOut({ field, reason });
      return undefined;
    }
    const comma = digitsIn(text, 'comma');
    const digits = (this.#hasDecimalComma ? comma : undefined) ?? digitsIn(text, 'point');
    if (digits !== undefined) {
      return Number(`${digits.isNegative ? '-' : ''}${digits.units}.${digits.decimals}`);
    }
    const { reason } = notA('a number', field, cell);
    values.leaveOut({ field, reason: comma ? `${reason}: use --decimal-comma` : reason });
    return undefined;
  }

  /** A number of uses, which has no parts. */
  count(field: string, cell: string, values: Values): number | undefined {
    const quantity = this.quantity(field, cell, values);
    if (quantity === undefined || Number.isInteger(quantity)) return quantity;
    return values.read<number>('a whole number', field, cell, undefined);
  }
}

/** Returns a percentage, such as `-12,5%`, without its sign. It is at most 100, so a comma and a point stand before decimals. */
export function percentageIn(cell: string): number | undefined {
  const [, units, decimals = ''] = /^[+-]?(\d{1,3})(?:[.,](\d{0,20}))? ?%?$/.exec(cell) ?? [];
  const percentage = units === undefined ? NaN : Number(`${units}.${decimals}`);
  return percentage <= 100 ? percentage : undefined;
}
