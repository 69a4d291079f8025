import { slugify } from '../../../common/slug.ts';

/** A slug that keeps the letters of scripts that have no ASCII spelling: without them, all variants would have one handle. */
export function slugInAnyScript(whole: string): string {
  // No title that the service takes is longer, or has more marks in a row, for which `normalize` takes quadratic time.
  const text = whole.slice(0, 1000).replace(/(\p{M}{30})\p{M}+/gu, '$1');
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return slugify(text);
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join('-').normalize('NFC');
}
