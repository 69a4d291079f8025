const MAX = 255;

/** Letters that Unicode does not decompose, and their usual ASCII spelling. */
const SPELLED = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }),
);

/** Characters without Latin letters. */
const FOREIGN = /[^\p{M}\p{Script=Latin}\p{Script=Common}]+/gu;

/** Returns the handle that the service gives a title: `Crème Brûlée` is `creme-brulee`. It may be empty. */
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

/** A slug that keeps the letters of scripts that have no ASCII spelling: without them, all variants would have one handle. */
export function slugInAnyScript(whole: string): string {
  // No title that the service takes is longer, and `normalize` takes quadratic time for long runs of combining marks.
  const text = whole.slice(0, 1000);
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return slugify(text);
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join('-').normalize('NFC');
}
