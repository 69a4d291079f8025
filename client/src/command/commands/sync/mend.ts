import { distinct, skippedPart } from '../../../stores/findings.ts';
import type { LeftOutField, SkippedPart } from '../../../stores/source.ts';
import type { Mend } from '../../../sync/execute-steps.ts';

/** Fields that mean nothing without each other. */
const PRICE: readonly string[] = ['priceCents', 'currencyCode'];

/**
 * Leaves out of the items of a store what the service refuses in a field, so that the rest of them is taken: of a list, the elements
 * that it names. It does not name everything at once. An item that is too large loses its longest value.
 * @param match the field to match by, without which an item means nothing
 * @param leftOut gets what is left out, of each item by its key
 */
export function mender(match: string, leftOut: SkippedPart[]): Mend {
  /** Of the images that are left, the places in the list of the store. */
  const places = new WeakMap<readonly unknown[], readonly number[]>();

  return (sent, { problems, isTooLarge = false }) => {
    const values = new Map(Object.entries<unknown>({ ...sent }));
    if (isTooLarge && values.size > 1) {
      const left = withoutLongest(values, match);
      leftOut.push(skippedPart(String(values.get(match)), left.omission));
      return left.fields;
    }
    const main = values.get('imageUrl');
    const listed = values.get('imageUrls');
    const images: readonly unknown[] = Array.isArray(listed) ? listed : [];
    const mainAt = images.indexOf(main);
    const refused = problems
      .map(({ path, message: reason }) => ({
        // The main image is an image of the list, and is left out and named there.
        path: path === 'imageUrl' && mainAt >= 0 ? `imageUrls.${mainAt}` : path,
        reason,
      }))
      .map((one) => ({ ...one, field: one.path.replace(/\..*/, '') }))
      .filter(({ field }) => values.has(field));
    // What is required and was left out before is no reason to refuse the rest as long as there is something to mend.
    if (refused.length === 0 || refused.some(({ field }) => field === match)) return undefined;
    const before = places.get(images) ?? [...images.keys()];
    /** The images as the store has numbered them, by their paths. */
    const elements = new Map<string, string>(
      before.map((place, at) => [`imageUrls.${at}`, `imageUrls.${place}`] as const),
    );
    const omissions = refused.map(({ path, field, reason }) => ({
      field: elements.get(path) ?? field,
      reason,
    }));
    const key = String(values.get(match));
    leftOut.push(...distinct(omissions).map((one) => skippedPart(key, one)));
    const paths = new Set(refused.map(({ path }) => path));
    for (const { path, field } of refused) {
      if (elements.has(path)) continue;
      for (const one of PRICE.includes(field) ? PRICE : [field]) values.delete(one);
    }
    if (Array.isArray(values.get('imageUrls'))) {
      const isLeft = (_: unknown, at: number): boolean => !paths.has(`imageUrls.${at}`);
      const left = images.filter(isLeft);
      places.set(left, before.filter(isLeft));
      values.set('imageUrls', left);
      // The main image is the first of those that are left.
      const hasMain = mainAt >= 0 ? left.includes(main) : values.has('imageUrl');
      if (typeof main === 'string' && !hasMain) values.set('imageUrl', left[0] ?? null);
    }
    return Object.fromEntries(values);
  };
}

/** Returns the fields of an item without the longest one, which makes it too large for a request, and says so. */
function withoutLongest(
  values: ReadonlyMap<string, unknown>,
  match: string,
): { readonly fields: object; readonly omission: LeftOutField } {
  const lengths = [...values].flatMap(([field, value]) =>
    field === match ? [] : { field, length: JSON.stringify(value).length },
  );
  const { field, length } = lengths.reduce((one, other) =>
    other.length > one.length ? other : one,
  );
  const characters = length.toLocaleString('en-US');
  return {
    fields: Object.fromEntries([...values].filter(([name]) => name !== field)),
    omission: {
      field,
      reason: `its ${characters} characters make the item too large for a request`,
    },
  };
}
