import type { SkippedPart } from '../../../stores/source.ts';
import type { Mend } from '../../../sync/execute-steps.ts';

/** Fields that mean nothing without each other. */
const PRICE: readonly string[] = ['priceCents', 'currencyCode'];

/**
 * Leaves out of the items of a store what the service refuses in a field, so that the rest of them is taken. At first, only the
 * elements of lists that the service names are left out; then the whole field.
 * @param match the field to match by, without which an item means nothing
 * @param leftOut gets what is left out, of each item by its key
 */
export function mender(match: string, leftOut: SkippedPart[]): Mend {
  return (sent, { problems }, attempt) => {
    const values = new Map(Object.entries<unknown>({ ...sent }));
    const refused = problems
      .map(({ path, message }) => ({
        path,
        field: path.replace(/\..*/, ''),
        reason: `${path}: ${message}`,
      }))
      .filter(({ field }) => values.has(field));
    // What is required and was left out before is no reason to refuse the rest as long as there is something to mend.
    if (refused.length === 0 || refused.some(({ field }) => field === match)) return undefined;
    const key = String(values.get(match));
    const main = values.get('imageUrl');
    const before = values.get('imageUrls');
    const isListed = Array.isArray(before) && before.includes(main);
    const elements = new Set<string>();
    for (const { path, field, reason } of refused) {
      const name = attempt === 1 ? path : field;
      // The main image is an image of the list, and is named there.
      if (field !== 'imageUrl' || !isListed)
        leftOut.push({ key, field: name, reason, kind: 'problem' });
      if (name !== field) elements.add(name);
      else for (const one of PRICE.includes(field) ? PRICE : [field]) values.delete(one);
    }
    for (const [field, value] of values) {
      if (!Array.isArray(value)) continue;
      const left = value.filter((_, at) => !elements.has(`${field}.${at}`));
      values.set(field, left);
    }
    // The main image is the first of those that are left.
    const images = values.get('imageUrls');
    if (Array.isArray(images) && 'imageUrl' in sent) {
      const isLeft = values.has('imageUrl') && (!isListed || images.includes(main));
      if (!isLeft) values.set('imageUrl', images[0] ?? null);
    }
    return Object.fromEntries(values);
  };
}
