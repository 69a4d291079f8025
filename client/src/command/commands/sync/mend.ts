import type { SkippedPart } from '../../../stores/source.ts';
import type { Mend } from '../../../sync/execute.ts';

/** Fields that mean nothing without each other. */
const PRICE: readonly string[] = ['priceCents', 'currencyCode'];

/** A problem that the service names: the field, the element of its list, and the whole of it as a sentence. */
interface FieldProblem {
  readonly field: string;
  readonly element: string | undefined;
  readonly reason: string;
}

/**
 * Leaves out of the items of a store what the service refuses in a field, so that the rest of them is taken. At first, only the
 * elements of lists that the service names are left out; then the whole field.
 * @param match the field to match by, without which an item means nothing
 * @param leftOut gets what is left out, of each item by its key
 */
export function mender(match: string, leftOut: SkippedPart[]): Mend {
  return (sent, error, attempt) => {
    const values = new Map(Object.entries<unknown>({ ...sent }));
    const refused = fieldProblems(error).filter(({ field }) => values.has(field));
    // What is required and was left out before is no reason to refuse the rest as long as there is something to mend.
    if (refused.length === 0 || refused.some(({ field }) => field === match)) return undefined;
    const key = String(values.get(match));
    const main = values.get('imageUrl');
    const before = values.get('imageUrls');
    const isListed = Array.isArray(before) && before.includes(main);
    const elements = new Set<string>();
    for (const { field, element, reason } of refused) {
      const name = attempt === 1 && element !== undefined ? element : field;
      // The main image is an image of the list, and is named there.
      if (field !== 'imageUrl' || !isListed)
        leftOut.push({ key, field: name, reason, kind: 'problem' });
      if (name === element) elements.add(element);
      else for (const one of PRICE.includes(field) ? PRICE : [field]) values.delete(one);
    }
    for (const [field, value] of values) {
      if (Array.isArray(value))
        values.set(
          field,
          value.filter((_, at) => !elements.has(`${field}.${at}`)),
        );
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

/** Returns the problems of a refusal; none if one of them is in no field. */
function fieldProblems(error: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const reason of error.split(/; (?=[A-Za-z]\w*(?:\.\d+)?: |and \d+ more$)/)) {
    const [, element, field, index] = /^(([A-Za-z]\w*)(\.\d+)?): /.exec(reason) ?? [];
    if (field !== undefined) problems.push({ field, element: index && element, reason });
    else if (!/^and \d+ more$/.test(reason)) return [];
  }
  return problems;
}
