import { distinct, skippedPart } from '../../../stores/findings.ts';
import type { LeftOutField, SkippedPart } from '../../../stores/source.ts';
import type { Mend } from '../../../sync/execute-steps.ts';
import { MENDS } from '../../../sync/execute-steps.ts';

/** Fields that mean nothing without each other. */
const PRICE: readonly string[] = ['priceCents', 'currencyCode'];

/**
 * Leaves out of the items of a store what the service refuses in a field, so that the rest of them is taken. At first, only the
 * elements of lists that the service names are left out; at last the whole field. An item that is too large loses its longest value.
 * @param match the field to match by, without which an item means nothing
 * @param leftOut gets what is left out, of each item by its key
 */
export function mender(match: string, leftOut: SkippedPart[]): Mend {
  return (sent, { problems, isTooLarge = false }, attempt) => {
    const values = new Map(Object.entries<unknown>({ ...sent }));
    if (isTooLarge && values.size > 1) {
      const left = withoutLongest(values, match);
      leftOut.push(skippedPart(String(values.get(match)), left.omission));
      return left.fields;
    }
    const refused = problems
      .map(({ path, message }) => ({ path, field: path.replace(/\..*/, ''), reason: message }))
      .filter(({ field }) => values.has(field));
    // What is required and was left out before is no reason to refuse the rest as long as there is something to mend.
    if (refused.length === 0 || refused.some(({ field }) => field === match)) return undefined;
    const key = String(values.get(match));
    const main = values.get('imageUrl');
    const before = values.get('imageUrls');
    const isListed = Array.isArray(before) && before.includes(main);
    const elements = new Set<string>();
    const omissions: LeftOutField[] = [];
    for (const { path, field, reason } of refused) {
      const name = attempt < MENDS ? path : field;
      // The main image is an image of the list, and is named there.
      if (field !== 'imageUrl' || !isListed) omissions.push({ field: name, reason });
      if (name !== field) elements.add(name);
      else for (const one of PRICE.includes(field) ? PRICE : [field]) values.delete(one);
    }
    leftOut.push(...distinct(omissions).map((one) => skippedPart(key, one)));
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
