import { slugify } from '../../../common/slug.ts';

/** The maximum length of a handle in code points. */
const LONGEST = 255;

/** A longer text is not compared as Unicode does, which takes quadratic time for long runs of combining marks. */
const LONGEST_COMPARED = 1000;

/** The sign of a value such as `-1.50`, which is no hyphen. */
const MINUS = /^-(?=[.,]?\d)/;

/**
 * Returns the handle of a variant: `shirt-off-white`. It depends on these parameters alone, so it stays the same if other
 * variants come, go or move. If the slug of the values loses something, as that of `C#` does, a suffix that the values determine
 * tells them from others.
 * @param product the handle of the product
 * @param values the values of the product's options, of which some may be empty; none for a product without variants
 */
export function variantHandle(product: string, values: readonly string[]): string {
  if (values.every((value) => value === '')) return product;
  const slug = slugInAnyScript(values.join(' '));
  const plain = `${product}-${slug}`;
  const essence = essenceOf(values.map((value) => value.replace(MINUS, '−')).join(''));
  if (slug !== '' && essenceOf(slug) === essence && Array.from(plain).length <= LONGEST)
    return plain;
  const suffix = `-${hash(JSON.stringify([product, essence]))}`;
  const whole = Array.from(slug === '' ? product : plain);
  const base = whole.slice(0, LONGEST - suffix.length).join('');
  return base.replace(/-$/, '') + suffix;
}

/** Returns the title of a variant: `Shirt - M / Red`. */
export function variantTitle(title: string, values: readonly string[]): string {
  const options = values.filter((value) => value !== '');
  return options.length === 0 ? title : `${title} - ${options.join(' / ')}`;
}

/** A slug with the letters of scripts that have no ASCII spelling: without them, all variants would have one handle. */
export function slugInAnyScript(whole: string): string {
  // No title that the service takes is longer, or has more marks in a row, for which `normalize` takes quadratic time.
  const text = whole.slice(0, 1000).replace(/(\p{M}{30})\p{M}+/gu, '$1');
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return slugify(text);
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join('-').normalize('NFC');
}

/** What distinguishes values: everything but case, marks, white space, hyphens and underscores. */
function essenceOf(text: string): string {
  const decomposed = text.length > LONGEST_COMPARED ? text : text.normalize('NFD');
  // In capitals, ß is SS.
  return decomposed
    .replace(/[\p{M}\s_-]/gu, '')
    .toUpperCase()
    .toLowerCase();
}

/** Six characters for a text (FNV-1a). */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return (value % 36 ** 6).toString(36).padStart(6, '0');
}
