const MAX = 255;

/** Letters that Unicode does not decompose, and their usual ASCII spelling. */
const SPELLED = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }),
);

/**
 * Characters without Latin letters. They are replaced first: NFKD would expand each to up to 18 characters, all of
 * which would be dropped.
 */
const FOREIGN = /[^\p{M}\p{Script=Latin}\p{Script=Common}]+/gu;

/** Returns the handle of a title, which may be empty: `Crème Brûlée & Women's Tops` is `creme-brulee-womens-tops`. */
export function slugify(title: string): string {
  return title
    .replace(FOREIGN, '-')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => SPELLED.get(letter) ?? letter)
    .replace(/[\p{M}'’]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX)
    .replace(/^-|-$/g, '');
}
