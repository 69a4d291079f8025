import { slugInAnyScript } from './slug.ts';

/** The maximum length of a handle in code points. */
const LONGEST = 255;

/**
 * Returns the handle of a variant: `shirt-off-white`. It depends on these parameters alone, so it stays the same if other
 * variants come, go or move. Variants with different values have different handles: of all values with one slug, those in the
 * usual spelling have the plain one, and the others a suffix that the values determine.
 * @param product the handle of the product
 * @param values the values of the product's options, of which some may be empty; none for a product without variants
 */
export function variantHandle(product: string, values: readonly string[]): string {
  if (values.every((value) => value === '')) return product;
  const slug = slugInAnyScript(values.join(' '));
  const plain = `${product}-${slug}`;
  if (slug !== '' && isUsual(values, slug) && lengthOf(plain) <= LONGEST) return plain;
  const suffix = `-${hash(JSON.stringify([product, values]))}`;
  const base = slug === '' ? product : plain;
  return (
    Array.from(base)
      .slice(0, LONGEST - suffix.length)
      .join('')
      .replace(/-$/, '') + suffix
  );
}

/** Returns the title of a variant: `Shirt - M / Red`. */
export function variantTitle(title: string, values: readonly string[]): string {
  const options = values.filter((value) => value !== '');
  return options.length === 0 ? title : `${title} - ${options.join(' / ')}`;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Whether the values are what most stores would write for a slug. For each slug and number of values there is one spelling. */
function isUsual(values: readonly string[], slug: string): boolean {
  const words = slug.split('-');
  return (
    words.length >= values.length &&
    usualValues(words, values.length).every((value, at) => value === values[at])
  );
}

/** Divides words among values. A size is a value of its own; apart from that, the first value has the most words. */
function usualValues(words: readonly string[], count: number): string[] {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (count === 1) return [words.map(usualWord).join(' ')];
  return isSize(first) && !isSize(last)
    ? [usualWord(first), ...usualValues(words.slice(1), count - 1)]
    : [...usualValues(words.slice(0, -1), count - 1), usualWord(last)];
}

/** `XL`, `10` or `64GB`. */
function isSize(word: string): boolean {
  return /^x*[sml]$|\d/.test(word);
}

function usualWord(word: string): string {
  const [first = '', ...rest] = word;
  return isSize(word) ? word.toUpperCase() : first.toUpperCase() + rest.join('');
}

/** Six characters for a text (FNV-1a). */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return (value % 36 ** 6).toString(36).padStart(6, '0');
}
