import type { SkippedPart } from '../../../stores/source.ts';
import type { Mend } from '../../../sync/execute.ts';

/** A problem that the service names: the field, the element of its list, and the whole of it as a sentence. */
interface FieldProblem {
  readonly field: string;
  readonly index: number | undefined;
  readonly reason: string;
}

/** Fields that mean nothing without each other. */
const TOGETHER: readonly (readonly string[])[] = [['priceCents', 'currencyCode']];

/** Leaves out of the items of a store what the service refuses in a field, so that the rest of them is taken. */
export class Mender {
  /** What was left out, of each item by its key. */
  readonly leftOut: SkippedPart[] = [];
  readonly #match: string;

  /** @param match the field to match by, without which an item means nothing */
  constructor(match: string) {
    this.#match = match;
  }

  /** At first, only the elements of lists that the service names are left out; then the whole field. */
  readonly mend: Mend = (fields, error, attempt) => {
    const problems = fieldProblems(error);
    if (problems === undefined) return undefined;
    const refused = problems.filter(({ field }) => Object.hasOwn(fields, field));
    // What is required and was left out before is no reason to refuse the rest as long as there is something to mend.
    if (refused.length === 0 || refused.some(({ field }) => field === this.#match))
      return undefined;
    const elements = attempt === 1 ? refused.filter(isElement) : [];
    const whole = refused.filter((one) => !elements.includes(one)).map(({ field }) => field);
    const values = new Map(Object.entries<unknown>({ ...fields }));
    const key = String(values.get(this.#match));
    for (const { field, index, reason } of refused.filter(
      (one) => !isRepeated(one, refused, values),
    )) {
      const name = elements.length > 0 && index !== undefined ? `${field}.${index}` : field;
      this.leftOut.push({ key, field: name, reason, kind: 'problem' });
    }
    for (const field of new Set(whole.flatMap(withOthers))) values.delete(field);
    for (const field of new Set(elements.map((one) => one.field))) {
      const list = values.get(field);
      const left = new Set(elements.filter((one) => one.field === field).map(({ index }) => index));
      if (Array.isArray(list))
        values.set(
          field,
          list.filter((_, at) => !left.has(at)),
        );
    }
    return Object.fromEntries(withMainImage(values, fields));
  };
}

/** Returns the problems of a refusal; undefined if one of them is in no field. */
function fieldProblems(error: string): FieldProblem[] | undefined {
  const problems: FieldProblem[] = [];
  for (const reason of error.split(/; (?=[A-Za-z]\w*(?:\.\d+)?: |and \d+ more$)/)) {
    const [, field, index] = /^([A-Za-z]\w*)(?:\.(\d+))?: /.exec(reason) ?? [];
    if (field !== undefined) {
      problems.push({ field, index: index === undefined ? undefined : Number(index), reason });
    } else if (!/^and \d+ more$/.test(reason)) return undefined;
  }
  return problems;
}

function isElement({ index }: FieldProblem): boolean {
  return index !== undefined;
}

/** Whether a problem is that of the main image, which is an image of the list and is named there. */
function isRepeated(
  { field }: FieldProblem,
  all: readonly FieldProblem[],
  values: ReadonlyMap<string, unknown>,
): boolean {
  const images = values.get('imageUrls');
  if (field !== 'imageUrl' || !Array.isArray(images)) return false;
  const named = all.filter((one) => one.field === 'imageUrls' && isElement(one));
  return named.some(({ index = 0 }) => images[index] === values.get(field));
}

function withOthers(field: string): readonly string[] {
  return TOGETHER.find((group) => group.includes(field)) ?? [field];
}

/** The main image is the first of those that are left. */
function withMainImage(
  values: ReadonlyMap<string, unknown>,
  before: object,
): ReadonlyMap<string, unknown> {
  const images = values.get('imageUrls');
  if (!('imageUrl' in before) || !Array.isArray(images)) return values;
  const main = values.get('imageUrl');
  const all: unknown = Reflect.get(before, 'imageUrls');
  const isLeftOut = Array.isArray(all) && all.includes(main) && !images.includes(main);
  if (values.has('imageUrl') && !isLeftOut) return values;
  const first: unknown = images[0] ?? null;
  return new Map([...values, ['imageUrl', first]]);
}
