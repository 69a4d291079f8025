import type { TestCollection } from './collections/collection.ts';
import type { Fields } from './model-fields.ts';
import { clean, read, withDerived } from './model-fields.ts';

// What a push must do to each of its items, as section 10 of the contract tells it.

/** What must become of an item. */
export type Verdict =
  | { readonly status: 'refused'; readonly isTaken: boolean }
  | { readonly status: 'created'; readonly fields: (id: string) => Fields }
  | { readonly status: 'updated' | 'unchanged'; readonly id: string; readonly fields: Fields };

const REFUSED: Verdict = { status: 'refused', isTaken: false };
const TAKEN: Verdict = { status: 'refused', isTaken: true };
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Says what must become of each item of a push, in order. */
export function judge(
  of: TestCollection,
  match: string,
  items: readonly unknown[],
  resources: ReadonlyMap<string, Fields>,
): Verdict[] {
  const values = new Set<string>();
  const uniques = new Set<string>();
  const { isUnique, key, model } = of;
  return items.map((item) => {
    // A value is held by the first item that has it, even if that one is refused for another reason.
    const set = isUnique ? valueOf(of, key, item) : undefined;
    const isTaken = set !== undefined && uniques.has(set);
    if (set !== undefined) uniques.add(set);
    const value = valueOf(of, match, item);
    if (value === undefined) return REFUSED;
    const isRepeated = values.has(value);
    values.add(value);
    const named = read(model, item, true);
    if (named === undefined || isRepeated) return REFUSED;
    if (isTaken) return TAKEN;
    return compare(of, match, { item, value, named, set }, resources);
  });
}

interface Item {
  readonly item: unknown;
  readonly value: string;
  readonly named: Fields;
  /** What it sets the unique field to, as it is compared. */
  readonly set: string | undefined;
}

/** Compares a good item with what is there. */
function compare(
  of: TestCollection,
  match: string,
  { item, value, named, set }: Item,
  resources: ReadonlyMap<string, Fields>,
): Verdict {
  const found = [...resources].filter(
    ([id, fields]) => (match === 'id' ? id : comparable(of, match, fields[match])) === value,
  );
  const [known] = found;
  if (found.length > 1) return REFUSED;
  const isTaken = [...resources].some(
    ([id, fields]) =>
      id !== known?.[0] && set !== undefined && String(fields[of.key]).toLowerCase() === set,
  );
  if (known === undefined) {
    const full = match === 'id' ? undefined : read(of.model, item, false);
    if (full === undefined) return REFUSED;
    return isTaken ? TAKEN : { status: 'created', fields: (id) => withDerived(of.model, full, id) };
  }
  if (isTaken) return TAKEN;
  const [id, before] = known;
  const isChanged = Object.entries(named).some(([name, value]) => before[name] !== value);
  return { status: isChanged ? 'updated' : 'unchanged', id, fields: { ...before, ...named } };
}

/** An item's value of a field, as values are compared; undefined if it has none that is good. */
function valueOf(of: TestCollection, field: string, item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const value: unknown = Object.hasOwn(item, field) ? Reflect.get(item, field) : undefined;
  if (typeof value !== 'string') return undefined;
  if (field === 'id') return ID.test(value) ? value : undefined;
  return of.model[field]?.isGood(value) ? comparable(of, field, clean(value)) : undefined;
}

/** Unique values are the same whatever their case. */
function comparable({ isUnique, key }: TestCollection, field: string, value: unknown): string {
  return isUnique && field === key ? String(value).toLowerCase() : String(value);
}
