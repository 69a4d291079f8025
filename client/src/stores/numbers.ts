/**
 * How numbers are written: by programs (`1299.00`), or by people, with a point (`1,299.00`) or a comma (`1.299,00`) before the
 * decimals. People also divide thousands by spaces and apostrophes, and in India by lakhs (`1,00,000`).
 */
const NOTATIONS = {
  plain: /^(-?)(\d+)(?:\.(\d+))?$/,
  point:
    /^([+-]?)(\d*|\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d\d)+,\d{3}|\d{1,3}(?: \d{3})+|\d{1,3}(?:'\d{3})+)(?:\.(\d+)|[.,])?$/,
  comma: /^([+-]?)(\d*|\d{1,3}(?:\.\d{3})+|\d{1,3}(?: \d{3})+|\d{1,3}(?:'\d{3})+)(?:,(\d+)|[.,])?$/,
};

export type Notation = keyof typeof NOTATIONS;

/** A number by its digits, of which there is at least one. */
export interface Digits {
  readonly isNegative: boolean;
  readonly units: string;
  readonly decimals: string;
}

/** No number that anybody writes is longer. */
export const LONGEST = 60;

/** Returns the digits of a number; undefined if a text is none in this notation. */
export function digitsIn(text: string, notation: Notation): Digits | undefined {
  if (text.length > LONGEST) return undefined;
  const [, sign, grouped = '', decimals = ''] = NOTATIONS[notation].exec(text) ?? [];
  const units = grouped.replace(/\D/g, '');
  if (sign === undefined || units + decimals === '') return undefined;
  return { isNegative: sign === '-', units, decimals };
}

/** Returns what a person wrote with the characters of the notations: digits 0 to 9, and one kind of space, apostrophe and minus. */
export function normalized(written: string, notation: Notation): string {
  if (written.length > LONGEST) return written;
  return (
    written
      // Digits of full width become usual ones, and no-break spaces spaces.
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
      .replaceAll('\u066b', notation === 'comma' ? ',' : '.')
      .replace(/[\u066c’ʼ]/g, "'")
      .replaceAll('−', '-')
      .replace(/\s/g, ' ')
      .trim()
  );
}

/** Returns the integer that digits become with so many decimals, rounded half up, and whether some were cut off. */
export function scaled(
  { units, decimals }: Digits,
  places: number,
): { readonly value: number; readonly isRounded: boolean } {
  const rest = decimals.slice(places);
  const whole = Number(units + decimals.slice(0, places).padEnd(places, '0'));
  return { value: whole + (/^[5-9]/.test(rest) ? 1 : 0), isRounded: /[1-9]/.test(rest) };
}

/**
 * Returns both meanings of a number such as `2.500`, which is `2,500` for a person who writes thousands with a point; undefined if
 * a number has one.
 */
export function meaningsOf(
  text: string,
): { readonly many: string; readonly few: string } | undefined {
  if (text.length > LONGEST) return undefined;
  const [, units, thousandths] = /^-?(\d[\d, ']*)\.(\d{3})$/.exec(text) ?? [];
  if (units === undefined || thousandths === undefined) return undefined;
  const digits = units.replace(/\D/g, '');
  return {
    many: grouped(`${digits}${thousandths}`),
    few: `${grouped(digits)}.${thousandths.replace(/0$/, '')}`,
  };
}

/** `2500` is `2,500`. */
function grouped(digits: string): string {
  return BigInt(digits).toLocaleString('en');
}
